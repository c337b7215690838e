// The frame of all screens: the admin's group filter, one renewal of an expired token for all waiting calls, a new build, chunks that fail
// to load.
import { expect, type Page, type Response, test } from '@playwright/test'
import { addDays, DEFAULT_ZONE, today } from '@tributary/contract/period'
import { apiOf, type Row } from './admin-api.ts'
import { chooseIn, dialogOf, unfold } from './page-parts.ts'
import { openPage } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

let page: Page

test.beforeAll(async ({ browser }) => {
  page = await openPage(browser, '/offers')
})

test.afterAll(() => page.context().close())

const filter = () => page.getByRole('textbox', { name: 'Partner group: limits every screen to its data' })
const rowLinks = () => page.locator('main a[data-row]')

/** The first group of the demo, its partners, and partners of other groups. */
async function findGroup(): Promise<{ title: string; partners: string[]; strangers: string[] }> {
  const { items } = await apiOf(page).done('GET', 'partner_group?limit=1&order[id]=ASC')
  const [group] = items as Row[]
  const within = `filter[partner_partner_groups.partner_group]=${group?.id}`
  const titles = async (filter: string) =>
    ((await apiOf(page).done('GET', `partner?limit=-1&${filter}`)).items as Row[]).map(({ title }) => String(title))
  const partners = await titles(`${within}&filter[active]=1`)
  const all = await titles('order[id]=ASC')
  const strangers = all.slice(0, 8).filter((title) => !partners.includes(title))
  return { title: String(group?.title), partners: partners.sort(), strangers }
}

/** Holds answers to these addresses until the returned function is called. */
async function holdBack(pattern: string): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route(pattern, async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

const dayAgo = (days: number) => addDays(today(DEFAULT_ZONE), -days)

test('the menu is there before the first screen of a visit, and its title is whole [NAV-06] [LIST-14]', async () => {
  const releaseScreen = await holdBack('**/assets/form-screen-*.js')
  const releaseWords = await holdBack('**/assets/screens-*.js')
  await page.goto('/traffic-sources/create', { waitUntil: 'commit' })
  releaseWords()
  await expect(page.getByRole('navigation')).toBeVisible()
  await expect(page).toHaveTitle(/^New traffic source/)
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden()
  releaseScreen()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New traffic source')
  await page.unrouteAll({ behavior: 'wait' })
})

test('areas of the menu fold and screens are pinned to its top; the server keeps both [NAV-10] [NAV-07]', async () => {
  // A second try begins as the first one did.
  await apiOf(page).done('PUT', 'profile/preferences', { areas: {}, favourites: [] })
  await page.reload()
  await page.setViewportSize({ width: 1440, height: 900 })
  const menu = page.getByRole('navigation')
  const finance = menu.getByRole('button', { name: 'Finance', exact: true })
  const budget = menu.getByRole('link', { name: 'Budget plan' })
  for (const area of ['Finance', 'Administration'])
    await expect(menu.getByRole('button', { name: area, exact: true })).toBeInViewport({ ratio: 1 })
  expect(await menu.getByRole('link').count()).toBeLessThanOrEqual(20)
  await expect(budget).toBeHidden()
  await finance.click()
  await menu
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Budget plan' }) })
    .hover()
  await menu.getByRole('button', { name: 'Pin Budget plan' }).click()
  await menu.getByRole('button', { name: 'Traffic', exact: true }).click()
  await expect(menu.getByRole('link', { name: 'Clicks' })).toBeHidden()
  const pinned = menu.getByRole('list', { name: 'Favourites' }).getByRole('link')
  await expect(pinned).toHaveText(['Budget plan'])
  await page.reload()
  await expect(pinned).toHaveText(['Budget plan'])
  await expect(menu.getByRole('link', { name: 'Clicks' })).toBeHidden()
  await expect(finance).toHaveAttribute('aria-expanded', 'true')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('budget-plan')
  // A folded area shows the screen that is open.
  await pinned.click()
  await finance.click()
  await expect(menu.getByRole('list', { name: 'Finance' }).getByRole('link')).toHaveText(['Budget plan'])
  await menu.getByRole('button', { name: 'Unpin Budget plan' }).first().focus()
  await page.keyboard.press('Enter')
  await expect(menu.getByRole('list', { name: 'Favourites' })).toBeHidden()
  await page.goto('/offers')
})

test('an admin’s filter narrows lists and reports to a partner group, here and after a reload, until it is cleared [PERM-06]', async () => {
  const group = await findGroup()
  const sent: (string | undefined)[] = []
  page.on('request', (request) => {
    if (/\/api\/(partner\?|general_report_old$)/.test(request.url())) sent.push(request.headers()['group-filter'])
  })
  expect(Math.min(group.partners.length, group.strangers.length)).toBeGreaterThan(0)
  await page.goto('/partners?limit=100')
  await expect.poll(() => rowLinks().count()).toBeGreaterThan(group.partners.length)
  expect(sent.splice(0)).toEqual([undefined])
  await filter().focus()
  await chooseIn(page, filter(), group.title)
  const narrowed = async () => {
    await expect(rowLinks()).toHaveCount(group.partners.length)
    expect((await rowLinks().allTextContents()).sort()).toEqual(group.partners)
  }
  await narrowed()
  await page.reload()
  await narrowed()
  await expect(filter()).toHaveValue(group.title)
  await page.goto(`/general-report-old?by=partner&from=${dayAgo(30)}&to=${dayAgo(0)}`)
  const shown = async (titles: readonly string[]) => {
    const text = (await page.locator('main').textContent()) ?? ''
    return titles.filter((title) => text.includes(title))
  }
  await expect.poll(async () => (await shown(group.partners)).length).toBeGreaterThan(0)
  expect(await shown(group.strangers)).toEqual([])
  expect(sent.length).toBeGreaterThan(2)
  expect(sent.every((value) => Number(value) > 0)).toBe(true)
  await page.goto('/partners?limit=100')
  await narrowed()
  await page.getByRole('banner').getByRole('button', { name: 'Clear' }).click()
  await expect.poll(() => rowLinks().count()).toBeGreaterThan(group.partners.length)
})

test('many calls with an expired token wait for one renewal and are repeated [AUTH-09]', async () => {
  await page.goto('/traffic-sources')
  await expect(page.getByRole('heading', { name: 'Traffic sources' })).toBeVisible()
  const answers: [path: string, status: number][] = []
  const note = (response: Response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/api/')) answers.push([pathname, response.status()])
  }
  const answered = (status: number) => new Set(answers.filter(([, code]) => code === status).map(([path]) => path))
  page.on('response', note)
  // The answer is delayed until several calls have failed with the expired token.
  await page.route('**/api/token/refresh', async (route) => {
    await expect.poll(() => answered(401).size).toBeGreaterThan(1)
    await route.continue()
  })
  await page.evaluate(() => {
    const held = JSON.parse(localStorage.getItem('token_data') ?? '{}')
    localStorage.setItem('token_data', JSON.stringify({ ...held, token: 'worn-out' }))
  })
  await page.getByRole('navigation').getByRole('link', { name: 'General report', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'General report' })).toBeVisible()
  await expect.poll(() => answered(200).has('/api/general_report')).toBe(true)
  await expect(page.getByRole('treegrid')).toBeVisible()
  expect(answered(401).size).toBeGreaterThan(1)
  await expect.poll(() => [...answered(401).difference(answered(200))]).toEqual([])
  expect(answers.filter(([path]) => path === '/api/token/refresh')).toEqual([['/api/token/refresh', 200]])
  page.off('response', note)
  await page.unrouteAll()
})

test('a new build is announced on an open page; then storage is cleared except for the sign-in, and one notice is shown [NAV-07]', async () => {
  await page.route('**/offers', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace(/(name="version" content=")\w+/, '$1older')
    await route.fulfill({ response: answer, body })
  })
  // Simulates a browser that has only seen the older build.
  await page.evaluate(() => localStorage.removeItem('build_version'))
  await page.goto('/offers')
  await page.unrouteAll()
  await page.evaluate(() => localStorage.setItem('left_over', '1'))
  const banner = page.getByRole('status').filter({ hasText: 'A new version is available.' })
  await expect(banner).toBeVisible()
  await banner.getByRole('button', { name: 'Refresh the page' }).click()
  await expect(dialogOf(page)).toContainText('The system has been updated')
  await expect(banner).toHaveCount(0)
  await expect(page).toHaveURL(/\/offers/)
  expect(await page.evaluate(() => localStorage.getItem('left_over'))).toBeNull()
  await expect(dialogOf(page).getByRole('button', { name: 'Refresh the page' })).toBeVisible()
  await dialogOf(page).getByRole('button', { name: 'Close' }).last().click()
  await expect(dialogOf(page)).toBeHidden()
  await page.reload()
  await expect(rowLinks().first()).toBeVisible()
  await expect(dialogOf(page)).toHaveCount(0)
})

test('a chunk that fails to load reloads the page once; if it fails again, a message is shown [NAV-06]', async () => {
  let pages = 0
  const count = () => {
    pages += 1
  }
  page.on('load', count)
  let isReloaded = false
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isReloaded = true
  })
  await page.route('**/assets/settings-screen-*.js', (route) => (isReloaded ? route.continue() : route.abort()))
  await unfold(page, 'Administration')
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await expect.poll(() => pages).toBe(1)
  await page.unrouteAll()
  await page.goto('/offers')
  pages = 0
  await page.route('**/assets/settings-screen-*.js', (route) => route.abort())
  await unfold(page, 'Administration')
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByText(/^Failed to load .*Try reloading the page\.$/)).toBeVisible()
  await expect.poll(() => pages).toBe(1)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  page.off('load', count)
})

test('at 1440 px the bar of a list is one line beside its title, in both languages, and its subtitle is whole [NAV-10] [I18N-02]', async () => {
  const other = await page.context().newPage()
  await other.setViewportSize({ width: 1440, height: 900 })
  for (const language of ['ru', 'en'])
    for (const path of ['/advertisers', '/offers', '/postbacks', '/partners-spends', '/users', '/audit-log']) {
      await other.goto(path)
      await other.evaluate((chosen) => localStorage.setItem('language', JSON.stringify(chosen)), language)
      await other.reload()
      const header = other.locator('main header').first()
      await expect(header.locator('h1')).toBeVisible()
      const lines = await header.evaluate((root) => {
        const middles = [...root.querySelectorAll('h1, button, input')].map((part) => {
          const { top, height } = part.getBoundingClientRect()
          return height === 0 ? [] : [top + height / 2]
        })
        const [first = 0, ...rest] = middles.flat()
        const subtitle = root.querySelector('p')
        return { apart: Math.max(...rest.map((y) => Math.abs(y - first))), high: subtitle?.clientHeight ?? 0 }
      })
      expect.soft(lines.apart, `${language} ${path}`).toBeLessThan(8)
      expect.soft(lines.high, `${language} ${path}`).toBeGreaterThan(0)
      expect.soft(lines.high, `${language} ${path}`).toBeLessThan(24)
    }
  await other.close()
})
