// The general report on the real product: levels, sort, grouping, comparison, drill-down, copied address.
import { stat } from 'node:fs/promises'
import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test'
import { DEFAULT_ZONE, today } from '@tributary/contract/period'
import { findBarriers } from './page-parts.ts'
import { signIn } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

const PAST = 'from=2026-01-01&to='

/** The limit of scripts and styles, as sent over the wire, before the first report is shown. */
const FIRST_REPORT_MAX_BYTES = 300_000
const DIST = new URL('../web/dist/', import.meta.url)

let context: BrowserContext
let page: Page
const files = new Set<string>()

/** A day that is over in every time zone. */
function pastDay(): string {
  return new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
}

const grid = () => page.getByRole('treegrid')
const rows = () => grid().locator('tbody tr[data-visible-row]')
const cell = (place: number, column: number) =>
  grid().locator(`tbody tr[data-visible-row="${place}"] td[data-column="${column}"]`)
const total = (column: number) => grid().locator(`tfoot td[data-column="${column}"]`)
const columnOf = async (label: string): Promise<number> => {
  const heads = await grid().locator('thead th').allTextContents()
  return heads.findIndex((text) => text.startsWith(label))
}
const toNumber = (text: string | null): number =>
  Number((text ?? '').replace(/[^\d.,\u2212-]/g, '').replace('\u2212', '-'))

async function openReport(search: string): Promise<void> {
  await page.goto(`/general-report?${search}`)
  await expect(rows().first()).toBeVisible()
  await expect(grid().locator('xpath=ancestor::section[1]')).toHaveAttribute('aria-busy', 'false')
}

/** Waits for the answer to the request that `act` causes. */
async function answered(act: () => Promise<void>): Promise<void> {
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/general_report') && response.ok())
  await act()
  await answer
  await expect(grid().locator('xpath=ancestor::section[1]')).toHaveAttribute('aria-busy', 'false')
}

test.beforeAll(async ({ browser }) => {
  // Wide enough to render every column.
  context = await browser.newContext({ viewport: { width: 2400, height: 900 } })
  page = await context.newPage()
  page.on('request', (request) => {
    if (['script', 'stylesheet'].includes(request.resourceType())) files.add(new URL(request.url()).pathname.slice(1))
  })
  await page.goto('/general-report')
  await signIn(page)
})

test.afterAll(() => context.close())

test('the report opens with today by offer and traffic source, and shows its freshness [REP-01] [NAV-12]', async () => {
  await expect(page).toHaveURL(/\/general-report\?by=offer\.traffic_source&from=[\d-]+&to=[\d-]+$/)
  await expect(page.getByText(/^Data to \d\d:\d\d:\d\d$/)).toBeVisible()
})

test('sign-in to the first report takes at most 300 kB and few files', async () => {
  await expect(grid().locator('xpath=ancestor::section[1]')).toHaveAttribute('aria-busy', 'false')
  const sizes = await Promise.all([...files].map(async (file) => (await stat(new URL(`${file}.br`, DIST))).size))
  const weights = [...files].map((file, at) => `${sizes[at]} ${file}`).join('\n')
  expect(
    sizes.reduce((sum, size) => sum + size, 0),
    weights,
  ).toBeLessThanOrEqual(FIRST_REPORT_MAX_BYTES)
  expect(files.size, weights).toBeLessThanOrEqual(60)
})

test('levels expand in place, all at once and one by one [REP-05]', async () => {
  await openReport(`by=offer.traffic_source.country&${PAST}${pastDay()}`)
  const closed = await rows().count()
  await cell(0, 0).click()
  await expect(rows().first()).toHaveAttribute('aria-expanded', 'true')
  await expect(rows().nth(1)).toHaveAttribute('aria-level', '2')
  await page.getByRole('button', { name: 'Expand all' }).click()
  await expect(rows().nth(2)).toHaveAttribute('aria-level', '3')
  await page.getByRole('button', { name: 'Collapse all' }).click()
  await expect(rows()).toHaveCount(closed)
})

test('a click on a header sorts, the next one reverses the order [REP-05]', async () => {
  const head = grid().getByRole('columnheader', { name: /^First deposits/ })
  await answered(() => head.getByRole('button').click())
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  // The sorted column stands right after the groups and keeps the focus.
  const deps = await columnOf('First deposits')
  expect(deps).toBe(1)
  await expect(head.getByRole('button')).toBeFocused()
  const values = (await grid().locator(`tbody td[data-column="${deps}"]`).allTextContents()).slice(0, 8).map(toNumber)
  expect(values).toEqual(values.toSorted((a, b) => b - a))
  await answered(() => head.getByRole('button').click())
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await expect(page).toHaveURL(/sort=nd/)
})

test('another grouping keeps the total; the old rows stay while it loads [REP-01] [REP-12]', async () => {
  const clicks = await columnOf('Clicks')
  const before = await total(clicks).textContent()
  await answered(async () => {
    await page.getByRole('button', { name: 'Level 1: Offer' }).click()
    await page.getByRole('menuitem', { name: 'Month' }).click()
    await expect(rows().first()).toBeVisible()
  })
  await expect(page).toHaveURL(/by=month\.traffic_source\.country/)
  expect(await total(clicks).textContent()).toBe(before)
})

test('months are in chronological order [REP-05]', async () => {
  await openReport(`by=month&${PAST}${pastDay()}`)
  const titles = await grid().locator('tbody td[data-column="0"]').allTextContents()
  const months = titles.map((title) => new Date(`1 ${title} UTC`).getTime()).filter((time) => !Number.isNaN(time))
  expect(months.length).toBeGreaterThan(1)
  expect(months).toEqual(months.toSorted((a, b) => a - b))
})

test('an outdated request is cancelled [REP-12]', async () => {
  const cancelled = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/general_report'))
  let isFirst = true
  await page.route('**/api/general_report', async (route) => {
    // The first request waits until the second choice has replaced it, so that slow machines do not matter.
    if (isFirst) {
      isFirst = false
      await cancelled.catch(() => undefined)
    }
    await route.continue().catch(() => undefined)
  })
  const asked = page.waitForRequest('**/api/general_report')
  const activity = page.getByRole('radiogroup', { name: 'Activity' })
  await page.getByRole('button', { name: 'More choices' }).click()
  await activity.getByRole('radio', { name: 'Deposits only', exact: true }).click()
  await asked
  await activity.getByRole('radio', { name: 'All' }).click()
  expect((await cancelled).failure()?.errorText).toContain('ABORTED')
  await page.keyboard.press('Escape')
  await page.unroute('**/api/general_report')
})

test('the rows behind a number add up to it, for sums and for ratios [REP-13]', async () => {
  await openReport(`by=offer.traffic_source&${PAST}${pastDay()}`)
  for (const label of ['Clicks', 'Registrations', 'First deposits', 'Amount of all deposits', 'Spend']) {
    const column = await columnOf(label)
    const shown = toNumber(await cell(0, column).textContent())
    await cell(0, column).click()
    const drawer = page.getByRole('dialog')
    const found = await drawer.getByText(/^= /).textContent()
    expect([label, toNumber(found)]).toEqual([label, shown])
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
  }
  const registrations = toNumber(await cell(0, await columnOf('Registrations')).textContent())
  await cell(0, await columnOf('Click/reg')).click()
  expect(toNumber(await page.getByRole('dialog').getByText(/^= /).textContent())).toBe(registrations)
  await expect(page.getByRole('dialog').getByText('Unique clicks', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
})

test('a second period shows changes beside the numbers, or columns of its own; arrows have words [REP-03]', async () => {
  await openReport('by=offer&from=2026-06-01&to=2026-07-31')
  const compare = page.getByRole('button', { name: /^Second period/ })
  const columns = await grid().locator('thead th').count()
  const before = await total(1).textContent()
  await answered(async () => {
    await compare.click()
    await page.getByRole('menuitem', { name: 'Same days of last year' }).click()
  })
  await expect(compare).toHaveText(/01\.06–31\.07/)
  await answered(async () => {
    await compare.click()
    await page.getByRole('menuitem', { name: 'Previous period' }).click()
  })
  await expect(page).toHaveURL(/second=previous/)
  await expect(grid().locator('thead th')).toHaveCount(columns)
  const change = total(1)
  await expect(change).toHaveText(/[▲▼]\d+\.\d %$/)
  await expect(change.getByRole('img', { name: /^(up|down)$/ })).toBeAttached()
  const was = toNumber(/^was (.*) \(01\.04–31\.05\)$/.exec((await change.getAttribute('title')) ?? '')?.[1] ?? null)
  const now = toNumber(before)
  await expect(change).toContainText(`${((Math.abs(now - was) / was) * 100).toFixed(1)} %`)
  await compare.click()
  await page.getByRole('menuitem', { name: 'Show both periods in columns' }).click()
  await expect(grid().locator('thead th')).toHaveCount(columns * 2 - 1)
  expect(toNumber(await total(2).textContent())).toBe(was)
  await compare.click()
  await page.getByRole('menuitem', { name: 'Show both periods in columns' }).click()
})

test('while data is recomputed one pill says so without moving the table, then offers to reload [REP-10]', async () => {
  let sentence = 'Spend data is being updated'
  await page.route('**/api/player_report/notification*', (route) =>
    route.fulfill({ json: { update_base_line: '', update_report_data: '', update_spend: sentence } }),
  )
  const top = async () => (await grid().boundingBox())?.y
  await openReport(`by=offer&${PAST}${pastDay()}`)
  const updating = page.getByRole('button', { name: 'Updating…' })
  await expect(updating).toBeVisible()
  const before = await top()
  await updating.hover()
  await expect(page.getByRole('tooltip')).toContainText(sentence)
  sentence = ''
  const reload = page.getByRole('button', { name: 'New data: reload' })
  await expect(reload).toBeVisible()
  expect(await top()).toBe(before)
  await answered(() => reload.click())
  await expect(page.getByRole('button', { name: /^Data to/ })).toBeVisible()
  expect(await top()).toBe(before)
  await page.unroute('**/api/player_report/notification*')
})

test('the first column is resized by arrow keys, and keeps its width [REP-14]', async () => {
  await openReport(`by=offer&${PAST}${pastDay()}`)
  const width = async () => Math.round((await grid().locator('thead th').first().boundingBox())?.width ?? 0)
  const before = await width()
  await page.getByRole('button', { name: 'Width of “Offer”' }).press('ArrowRight')
  await expect.poll(width).toBeGreaterThan(before)
  const wide = await width()
  await page.reload()
  await expect.poll(width).toBe(wide)
  await page.setViewportSize({ width: 390, height: 900 })
  await expect.poll(width, 'numbers keep their room on a phone').toBeLessThan(290)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Width of “Offer”' }).press('ArrowLeft')
  await expect.poll(width).toBeLessThan(wide)
})

test('only this row, then without another, as chips; the copied address shows a colleague the same [NAV-12]', async () => {
  await openReport(`by=partner.offer&${PAST}${pastDay()}`)
  const name = (await cell(0, 0).textContent())?.trim() ?? ''
  const clicks = await cell(0, 1).textContent()
  await rows().first().hover()
  await rows().first().getByRole('button', { name: 'Row actions' }).click()
  await answered(() => page.getByRole('menuitem', { name: `Only ${name}` }).click())
  // Unallocated spend is shown beside the row.
  await expect(grid().locator('tbody tr[aria-expanded]')).toHaveCount(1)
  const shown = await rows().count()
  expect(await total(1).textContent()).toBe(clicks)
  const colleague = await context.newPage()
  await colleague.goto(page.url())
  await expect(colleague.getByRole('button', { name: `Partners ${name}` })).toBeVisible()
  await expect(colleague.getByRole('treegrid').locator('tfoot td[data-column="1"]')).toHaveText(clicks ?? '')
  await colleague.close()
  await page.getByRole('button', { name: 'Remove: Partners' }).click()
  await expect.poll(() => rows().count()).toBeGreaterThan(shown)
})

test('new numbers appear automatically and open rows stay open [REP-05]', async () => {
  // Today in the business zone, not in UTC.
  await openReport(`by=offer.traffic_source&${PAST}${today(DEFAULT_ZONE)}`)
  await cell(0, 0).click()
  const inside = await rows().nth(1).locator('td').first().textContent()
  await answered(async () => {
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Refresh now' }).click()
  })
  await expect(rows().first()).toHaveAttribute('aria-expanded', 'true')
  await expect(rows().nth(1).locator('td').first()).toHaveText(inside ?? '')
  // The automatic refresh every ten seconds sends the request.
  await answered(async () => undefined)
  await expect(rows().first()).toHaveAttribute('aria-expanded', 'true')
})

test('the keyboard alone opens a row and a number [REP-05] [NAV-10]', async () => {
  await openReport(`by=offer.traffic_source&${PAST}${pastDay()}`)
  await grid().focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await expect(rows().first()).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').locator(':focus')).toBeVisible()
  // A closed panel returns the focus, also after its first opening.
  await page.keyboard.press('Escape')
  await expect(grid()).toBeFocused()
  await page.keyboard.press('Home')
  const only = page.getByRole('menuitem', { name: /^Only / })
  for (const reducedMotion of ['reduce', 'reduce', 'no-preference', 'no-preference'] as const) {
    await page.emulateMedia({ reducedMotion })
    await page.keyboard.press('Shift+F10')
    await expect(only).toBeVisible()
    await expect(grid()).not.toBeFocused()
    // Waits longer than an unwanted close would take.
    await page.waitForTimeout(400)
    await expect(only).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(grid()).toBeFocused()
    await expect(page.getByRole('menu')).toHaveCount(0)
  }
  for (const name of ['Saved reports', 'Export']) {
    const button = page.getByRole('button', { name, exact: true })
    await button.press('Enter')
    await expect(button).toHaveAttribute('aria-expanded', 'true')
    await expect(button).not.toBeFocused()
    await page.keyboard.press('Escape')
    await expect(button).toBeFocused()
  }
})

/** For each name: whether it is cut, and whether its first fifteen characters are visible. */
const namesSeen = (names: Locator) =>
  names.evaluateAll((elements) =>
    elements.map((element) => {
      const text = element.textContent ?? ''
      const range = document.createRange()
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      const node = walker.nextNode()
      if (node === null) return { text, isCut: false, hasFifteen: true }
      range.setStart(node, 0)
      range.setEnd(node, Math.min(15, text.length))
      // The parent element cuts the name.
      const box = element.parentElement ?? element
      const { right } = box.getBoundingClientRect()
      const hasFifteen = range.getBoundingClientRect().right <= right + 0.5
      return { text, isCut: box.scrollWidth > box.clientWidth, hasFifteen }
    }),
  )

test('a name is cut only where its column has no room, never below fifteen characters; it is whole in a tooltip, under the keyboard and read out [REP-17]', async () => {
  await openReport(`by=offer.traffic_source.country.partner&${PAST}${pastDay()}`)
  const names = grid().locator('tbody td:first-child [title]')
  const cutAt = async (width: number) => {
    // High enough for most offers: only visible rows are rendered.
    await page.setViewportSize({ width, height: 2000 })
    await page.getByRole('button', { name: 'Collapse all' }).click()
    const seen = await namesSeen(names)
    await page.getByRole('button', { name: 'Expand all' }).click()
    seen.push(...(await namesSeen(names)))
    expect(seen.filter(({ hasFifteen }) => !hasFifteen)).toEqual([])
    return seen.filter(({ isCut }) => isCut)
  }
  const wide = await cutAt(1920)
  expect(wide.filter(({ text }) => text.length <= 24)).toEqual([])
  // The test of resizing has left a width of the first column in the browser's storage.
  await page.evaluate(() => localStorage.removeItem('report:tree_width'))
  await page.reload()
  await expect(rows().first()).toBeVisible()
  const narrow = await cutAt(700)
  expect(narrow.length).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Collapse all' }).click()
  const long = rows()
    .filter({ has: page.getByTitle(narrow[0]?.text ?? '', { exact: true }) })
    .first()
  const name = long.getByTitle(narrow[0]?.text ?? '', { exact: true })
  await expect(long.locator('td').first()).toHaveAccessibleName(new RegExp(`^${RegExp.escape(narrow[0]?.text ?? '')}`))
  await grid().focus()
  await page.keyboard.press('Control+Home')
  for (let place = Number(await long.getAttribute('data-visible-row')); place > 0; place--)
    await page.keyboard.press('ArrowDown')
  await expect.poll(async () => (await namesSeen(name))[0]?.isCut).toBe(false)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('at 390 px nothing of the page is cut off, its buttons stand in one line, a report without rows has a way on, and the filters open above the table [NAV-10] [REP-07]', async ({
  browser,
}) => {
  const narrow = await browser.newContext({
    viewport: { width: 390, height: 844 },
    storageState: await context.storageState(),
  })
  const small = await narrow.newPage()
  await small.goto(`/general-report?by=offer&${PAST}${pastDay()}`)
  await expect(small.getByRole('treegrid').locator('tbody tr[data-visible-row]').first()).toBeVisible()
  expect(await small.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  const tops = await small
    .locator('h1')
    .locator('xpath=ancestor::header[1]')
    .locator('button:not(h1 ~ button, h1 button):visible')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top))
  expect(tops).toHaveLength(3)
  // The buttons of the freshness have a border around them.
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(2)
  await small.getByRole('button', { name: 'More', exact: true }).click()
  await small.getByRole('button', { name: 'Export' }).click()
  await expect(small.getByRole('menuitem', { name: 'Excel (.xlsx)' })).toBeVisible()
  expect(await small.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await small.goto(`/costs-report?siteId=${encodeURIComponent('["nobody"]')}&${PAST}${pastDay()}`)
  await small.getByRole('button', { name: 'Clear filters' }).click()
  await expect(small.getByRole('treegrid').locator('tbody tr[data-visible-row]').first()).toBeVisible()
  await small.getByRole('button', { name: 'Filters' }).click()
  await expect(small.getByRole('dialog', { name: 'Filters' })).toBeVisible()
  await narrow.close()
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`the report has no barriers that axe finds, ${colorScheme} [NAV-10]`, async () => {
    await page.emulateMedia({ colorScheme })
    await openReport(`by=offer.traffic_source&${PAST}${pastDay()}&second=previous&limit=10`)
    await cell(0, 0).click()
    // Only contrasts depend on the theme.
    expect(await findBarriers(page, colorScheme === 'dark' ? { rules: ['color-contrast'] } : {})).toEqual([])
  })
