// What a report and a list look like while somebody types, compares and waits: nothing moves, nothing is blank, no name is cut wrongly.
import { type BrowserContext, expect, type Page, type Route, test } from '@playwright/test'
import { DEFAULT_ZONE, today } from '@tributary/contract/period'
import { apiOf } from './admin-api.ts'
import { signIn } from './sign-in.ts'

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const SEARCH = `by=offer.traffic_source&from=2026-01-01&to=${day(2)}&columns=nd.deposits_amount.income.s.profit.cfd.roi`

let context: BrowserContext
let page: Page
const grid = () => page.getByRole('treegrid')
const rows = () => grid().locator('tbody tr[data-visible-row]')
const topOf = async () => (await grid().boundingBox())?.y ?? 0

test.beforeAll(async ({ browser }) => {
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  await page.goto(`/general-report?${SEARCH}`)
  await signIn(page)
  await page.goto(`/general-report?${SEARCH}`)
})

test.afterAll(() => context.close())

for (const language of ['en', 'ru'])
  test(`the bar is one line at 1440 pixels, also while rows are searched (${language}) [REP-05] [NAV-12]`, async () => {
    await page.evaluate((chosen) => localStorage.setItem('language', JSON.stringify(chosen)), language)
    await page.reload()
    await expect(rows().first()).toBeVisible()
    const [level, search] = [page.locator('[data-report-key="group"]'), page.locator('input[data-search]')]
    const middles = async () =>
      Promise.all([level, search].map(async (part) => (await part.boundingBox())?.y ?? Number.NaN))
    const [levelAt = 0, searchAt = 0] = await middles()
    expect(Math.abs(levelAt - searchAt)).toBeLessThan(4)
    const before = await topOf()
    await search.pressSequentially('a')
    await expect(page.locator('[aria-live]').filter({ hasText: /\d/ }).first()).toBeAttached()
    expect(await topOf()).toBe(before)
    await search.fill('')
  })

test('three levels beside a comparison are readable at 1200 pixels, and a level keeps the focus when its dimension changes [REP-04] [REP-05] [NAV-12]', async () => {
  await page.evaluate(() => localStorage.setItem('language', '"en"'))
  await page.goto(`/general-report?by=partner.offer.traffic_source&from=${day(20)}&to=${day(1)}&second=previous`)
  await expect(rows().first()).toBeVisible()
  await page.setViewportSize({ width: 1200, height: 900 })
  const level = (place: number) => page.getByRole('button', { name: new RegExp(`^Level ${place}: `) })
  for (const place of [1, 2, 3]) {
    const width = await level(place).evaluate((button) => button.querySelector('span')?.clientWidth ?? 0)
    expect(width).toBeGreaterThanOrEqual(30)
    // Nothing lies over it.
    await level(place).click({ trial: true })
  }
  await level(2).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Country', exact: true }).press('Enter')
  await expect(page.getByRole('button', { name: 'Level 2: Country' })).toBeFocused()
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('headers of narrow columns are whole, also the sorted one [REP-05]', async () => {
  await page.evaluate(() => localStorage.setItem('language', '"en"'))
  await page.goto(`/general-report?by=offer&from=${day(1)}&to=${day(1)}&sort=-income`)
  await expect(rows().first()).toBeVisible()
  const cut = await grid().evaluate((table) =>
    [...table.querySelectorAll('thead th button')].flatMap((button) => {
      const label = button.querySelector('span span') ?? button
      const isCut = label.scrollWidth > label.clientWidth || label.scrollHeight > label.clientHeight + 1
      return isCut ? [label.textContent] : []
    }),
  )
  expect(cut).toEqual([])
})

test('the active cell says what the number was, without a mouse [REP-12]', async () => {
  await page.goto(`/general-report?${SEARCH}&second=last_month`)
  await expect(rows().first()).toBeVisible()
  await grid().focus()
  await page.keyboard.press('ArrowDown')
  for (const key of ['End', 'Control+End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft']) {
    await page.keyboard.press(key)
    if ((await grid().getByRole('tooltip').count()) > 0) break
  }
  await expect(grid().getByRole('tooltip')).toHaveText(/^was .+\(.+\)$/)
})

test('a period that is too long is named, with the limit and a shorter one [REP-01]', async () => {
  await page.goto('/general-report?from=0001-01-01&to=9999-12-31')
  await expect(page.getByText('This period cannot be shown')).toBeVisible()
  await expect(
    page.getByText(/^01\.01\.0001 – 31\.12\.9999: The period may have no more than 3660 days$/),
  ).toBeVisible()
  await page.getByRole('button', { name: 'This year' }).click()
  await expect(page).toHaveURL(/from=\d{4}-01-01/)
})

test('a search without matches dims the old rows, then says so; it never shows blank rows [LIST-03]', async () => {
  await page.goto('/countries')
  await expect(page.getByRole('table').locator('tbody a').first()).toBeVisible()
  await page.route('**/api/country?**', async (route) => {
    await new Promise((done) => setTimeout(done, 250))
    await route.continue()
  })
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    const look = () => {
      const table = document.querySelector('table')
      seen.push(table === null ? 'words' : table.ariaHidden === 'true' ? 'blank' : 'rows')
      requestAnimationFrame(look)
    }
    look()
  })
  await page.locator('input[data-search]').fill('zzqqzz')
  await expect(page.getByText('Nothing was found').or(page.getByText('Clear filters')).first()).toBeVisible()
  const seen = await page.evaluate(() => [...new Set((globalThis as unknown as { seen: string[] }).seen)])
  expect(seen).toEqual(['rows', 'words'])
  await page.unroute('**/api/country?**')
})

test('columns of a list are as wide while it loads as they are afterwards [LIST-03]', async () => {
  const widths = () =>
    page
      .locator('table thead th')
      .evaluateAll((heads) => heads.map((head) => Math.round(head.getBoundingClientRect().width)).slice(0, 4))
  await page.route('**/api/country?**', async (route) => {
    await new Promise((done) => setTimeout(done, 1500))
    await route.continue()
  })
  await page.goto('/countries')
  await expect(page.locator('table[aria-hidden]')).toBeVisible()
  const before = await widths()
  await expect(page.getByRole('table').locator('tbody a').first()).toBeVisible()
  expect(await widths()).toEqual(before)
  await page.unroute('**/api/country?**')
})

test('a name written from right to left keeps its beginning when it is cut [I18N-02]', async () => {
  const title = `شركة ${'التسويق الرقمي '.repeat(12)}`.trim()
  await apiOf(page).done('POST', 'landing', { title, value: 'rtl' })
  await page.goto('/landings?query=%D8%B4%D8%B1%D9%83%D8%A9')
  const name = page.getByRole('table').locator('tbody a[data-row]').first()
  await expect(name).toBeVisible()
  // The first letter is at the right edge of the cell and is not cut off.
  const isSeen = await name.evaluate((link) => {
    const range = document.createRange()
    const text = link.firstChild
    if (text === null) return false
    range.setStart(text, 0)
    range.setEnd(text, 1)
    const [first, box] = [range.getBoundingClientRect(), link.getBoundingClientRect()]
    return first.right <= box.right + 1 && first.left >= box.left - 1
  })
  expect(isSeen).toBe(true)
})

test('a report that the server does not answer says that it tries again, then offers to; its bar stays still [LIST-14]', async () => {
  const down = (route: Route) => route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Not now' } })
  const bar = page.locator('[data-report-key="group"]')
  for (const path of ['general_report', 'player_report/notification?*']) await page.route(`**/api/${path}`, down)
  await page.goto('/general-report?by=offer&from=2026-02-01&to=2026-02-20')
  await expect(bar).toBeVisible()
  const place = await bar.boundingBox()
  const again = page.getByText('The server does not answer. Trying again…')
  await expect(again).toBeVisible({ timeout: 3000 })
  expect(await bar.boundingBox()).toEqual(place)
  const retry = page.getByRole('button', { name: 'Try again' })
  await expect(retry).toBeVisible({ timeout: 6000 })
  await expect(again).toBeHidden()
  expect(await bar.boundingBox()).toEqual(place)
  await page.unrouteAll()
  await retry.click()
  await expect(rows().first()).toBeVisible()
})

test('the notification loads before each fetch, also of today; a refresh does not dim the rows [REP-10] [REP-12]', async () => {
  const events: string[] = []
  page.on('requestfinished', (request) => {
    if (request.url().includes('/player_report/notification')) events.push('notification')
  })
  page.on('request', (request) => {
    if (request.url().endsWith('/api/general_report')) events.push('report')
  })
  await page.goto(`/general-report?by=offer&from=${day(3)}&to=${today(DEFAULT_ZONE)}`)
  await expect(rows().first()).toBeVisible()
  await grid().evaluate((table) => {
    const frame = table.closest('section')
    const note = () => {
      if (frame?.getAttribute('aria-busy') === 'true') table.setAttribute('data-was-busy', '')
    }
    if (frame !== null) new MutationObserver(note).observe(frame, { attributeFilter: ['aria-busy'] })
  })
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/general_report'))
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Refresh now' }).click()
  await (await answer).finished()
  await expect(page.getByText(/^Data to/)).toBeVisible()
  expect(await grid().getAttribute('data-was-busy')).toBeNull()
  const fetches = events.join(' ').split('report').slice(0, -1)
  expect(fetches.length).toBeGreaterThanOrEqual(2)
  for (const before of fetches) expect(before).toContain('notification')
})

test('a switch of views keeps period, filters, comparison and groups [NAV-04] [NAV-12]', async () => {
  const [partner] = (await apiOf(page).done('GET', 'partner?limit=1&filter[active]=1&order[id]=ASC')).items as {
    id: number
  }[]
  const kept = { by: 'partner.offer', from: day(20), to: day(2), second: 'previous', partners: `[${partner?.id}]` }
  await page.goto(`/general-report?${new URLSearchParams(kept)}`)
  await expect(rows().first()).toBeVisible()
  const views = page.getByRole('navigation', { name: 'View', exact: true })
  for (const [view, path] of [
    ['Flat', '/general-report-old'],
    ['By levels', '/general-report'],
  ] as const) {
    await views.getByRole('link', { name: view }).click()
    await expect(page).toHaveURL((url) => url.pathname === path)
    const { searchParams } = new URL(page.url())
    expect(Object.fromEntries(Object.keys(kept).map((name) => [name, searchParams.get(name)]))).toEqual(kept)
    await expect(rows().first()).toBeVisible()
  }
})

test('partial income is compared up to the last reported day, in the total and in rows [REP-03]', async () => {
  const [from, until] = [day(20), day(3)]
  // Which days are unreported depends on the hour: the last day of the period is made so.
  await page.route('**/api/general_report', async (route) => {
    const { filter } = route.request().postDataJSON() as { filter: { dateTo: string; groupBy: string } }
    const answer = await route.fetch()
    if (filter.dateTo !== until) return route.fulfill({ response: answer })
    type Row = { g?: { date?: string }; partial?: string[] }
    const body = (await answer.json()) as { total: object; rows: Row[] }
    const isOpen = ({ g }: Row) => filter.groupBy !== 'day' || g?.date === until
    const rows = body.rows.map((row) => (isOpen(row) ? { ...row, partial: ['income'] } : row))
    return route.fulfill({ response: answer, json: { ...body, rows, total: { ...body.total, partial: ['income'] } } })
  })
  await page.goto(`/general-report?by=partner&from=${from}&to=${until}&second=previous&columns=income`)
  const total = grid().locator('tfoot td[data-column="1"]')
  await expect(rows().first()).toBeVisible()
  await expect(total).toHaveAttribute('title', /^Up to \d\d\.\d\d/)
  await expect(total).toContainText(/%/)
  await expect(rows().first().locator('td[data-column="1"]')).toHaveAttribute('title', /^Up to \d\d\.\d\d/)
  await page.unrouteAll({ behavior: 'wait' })
})
