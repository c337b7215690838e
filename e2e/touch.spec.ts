// Narrow screens and fingers: lists as cards, reports with one metric, filters as a drawer, targets that a finger hits.
import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test'
import { addDays, DEFAULT_ZONE, today } from '@tributary/contract/period'
import { everyAddress, openRoute } from './every-route.ts'
import { expectNoSidewaysScroll, findBarriers } from './page-parts.ts'
import { openPage } from './sign-in.ts'
import { smallTargets } from './targets.ts'

let page: Page
let context: BrowserContext

test.beforeAll(async ({ browser }) => {
  page = await openPage(browser, '/offers', { viewport: { width: 360, height: 740 }, hasTouch: true })
  context = page.context()
})
test.afterAll(() => context.close())

/** Of forty days, because this month may have just begun. */
const SPENDS = `/partners-spends?filter[date][bwn]=${addDays(today(DEFAULT_ZONE), -40)}|${today(DEFAULT_ZONE)}`

const cards = () => page.locator('main li[aria-posinset]')
const grid = () => page.getByRole('treegrid')
const drawer = () => page.getByRole('dialog', { name: 'Filters' })

test('on a phone each row of a list is a card of the chosen columns; selection, actions, order, pages and opening work [LIST-11] [NAV-10]', async () => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (/\/api\/player\?/.test(request.url())) asked.push(request.url())
  })
  await openRoute(page, '/players')
  await expect(page.locator('main table')).toHaveCount(0)
  const first = cards().first()
  const labels = await first.locator('dt').allTextContents()
  expect(labels.length).toBeGreaterThan(3)
  expect(asked).toHaveLength(1)
  const more = page.getByRole('button', { name: 'More', exact: true })
  await expect(page.getByRole('button', { name: 'Columns' })).toBeHidden()
  await more.click()
  await expect(more).toHaveAttribute('aria-expanded', 'true')
  await page.getByRole('button', { name: 'Columns' }).click()
  const [label = ''] = labels
  const shown = page.getByRole('checkbox', { name: label, exact: true })
  await shown.uncheck()
  await expect(first.locator('dt')).toHaveText(labels.slice(1))
  await page.keyboard.press('Escape')
  await expect(shown).toHaveCount(0)
  await first.getByRole('checkbox').check()
  await expect(page.getByText('1 row selected')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the selection' }).click()
  await expect(first.getByRole('checkbox')).not.toBeChecked()
  const title = await first.locator('a[data-row]').textContent()
  const order = page.getByLabel('Sort by', { exact: true })
  await order.selectOption({ index: 1 })
  await expect(page).toHaveURL(/order%5B\w+%5D=ASC/)
  await expect(first.locator('a[data-row]')).not.toHaveText(title ?? '')
  await page.getByRole('button', { name: 'Sorted ascending' }).click()
  await expect(page).toHaveURL(/order%5B\w+%5D=DESC/)
  // Of many rows only the cards near the visible ones exist.
  await page.getByLabel('Rows on a page').selectOption('100')
  await expect(page).toHaveURL(/limit=100/)
  await expect(first).toHaveAttribute('aria-setsize', '100')
  expect(await cards().count()).toBeLessThan(30)
  const last = page.locator('main li[aria-posinset="100"]')
  await expect(async () => {
    await page.locator('main').evaluate((main) => main.scrollTo({ top: main.scrollHeight }))
    await expect(last).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(first).toHaveAttribute('aria-posinset', '1')
  await expect(first).toBeInViewport()
  // Other tests create and delete players meanwhile.
  await expect(async () => {
    const opened = (await first.locator('a[data-row]').textContent({ timeout: 1000 })) ?? ''
    await cards().locator('a[data-row]').filter({ hasText: opened }).click({ timeout: 2000 })
    await expect(page.locator('h1')).toContainText(opened, { timeout: 3000 })
  }).toPass()
  await page.goBack()
  await openRoute(page, '/offers')
  await cards()
    .first()
    .getByRole('button', { name: /^Actions/ })
    .click()
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeVisible()
  expect(await findBarriers(page, { tags: ['wcag2a', 'wcag2aa'] })).toEqual([])
  await page.keyboard.press('Escape')
})

test('at 390 px the first card of a list begins in the upper third of the screen, in both languages [NAV-10] [LIST-11]', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const language of ['ru', 'en']) {
    await page.evaluate((chosen) => localStorage.setItem('language', JSON.stringify(chosen)), language)
    await page.reload()
    for (const path of ['/offers', '/postbacks', SPENDS, '/advertisers']) {
      await openRoute(page, path)
      const box = await cards().first().boundingBox()
      expect.soft(box?.y, `${language} ${path}`).toBeLessThan(844 / 3)
    }
  }
  await page.setViewportSize({ width: 360, height: 740 })
})

test('what a finger hits on a card is as high as a finger: nothing of a neighbour lies over it [NAV-10] [LIST-11]', async () => {
  await openRoute(page, '/offers')
  const card = cards().first()
  await expect(card.locator('dd a').first()).toBeVisible()
  await card.scrollIntoViewIfNeeded()
  const heights = await card.evaluate((root) =>
    [...root.querySelectorAll('a, label')].map((target) => {
      const box = target.getBoundingClientRect()
      const x = box.left + Math.min(box.width / 2, 20)
      const isHit = (y: number) => target.contains(document.elementFromPoint(x, y))
      const middle = box.top + box.height / 2
      let [top, bottom] = [middle, middle]
      while (isHit(top - 0.5)) top -= 0.5
      while (isHit(bottom + 0.5)) bottom += 0.5
      return { name: target.textContent, height: bottom - top + 0.5 }
    }),
  )
  expect(heights.length).toBeGreaterThan(3)
  expect(heights.filter(({ height }) => height < 43.5)).toEqual([])
})

test('on a narrow screen filters are a drawer that Escape, Back and a touch outside close, and that is never open over what opens [NAV-10] [LIST-01]', async () => {
  for (const path of ['/offers', '/general-report', '/cohort-analysis']) {
    await openRoute(page, path)
    await expect(drawer()).toBeHidden()
    const open = async () => {
      await page.getByRole('button', { name: 'Filters', exact: true }).click()
      await expect(drawer()).toBeVisible()
    }
    await open()
    await page.keyboard.press('Escape')
    await expect(drawer()).toBeHidden()
    await open()
    await page.goBack()
    await expect(drawer()).toBeHidden()
    await expect(page).toHaveURL((url) => url.pathname === path)
    await open()
    await page.touchscreen.tap(350, 400)
    await expect(drawer()).toBeHidden()
    await open()
    await openRoute(page, '/advertisers')
    await expect(drawer()).toBeHidden()
  }
  // What a wide screen keeps open does not open on a narrow one.
  await page.setViewportSize({ width: 1440, height: 900 })
  await openRoute(page, '/general-report')
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await expect(page.getByRole('complementary', { name: 'Filters' })).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(drawer()).toBeHidden()
  await grid().locator('tfoot td').nth(1).click()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
})

async function swipe(element: Locator, across: number): Promise<void> {
  const box = await element.boundingBox()
  if (box === null) throw new Error('nothing to swipe')
  const session = await context.newCDPSession(page)
  const [x, y] = [box.x + box.width / 2, box.y + 60]
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: at, y }] })
  await touch('touchStart', x)
  for (const part of [0.3, 0.6, 1]) await touch('touchMove', x + across * part)
  await touch('touchEnd', x + across)
  await session.detach()
}

test('on a phone a report keeps its first column and shows one metric, which buttons, a list, a swipe and keys change [REP-07] [NAV-10]', async () => {
  await openRoute(page, '/general-report')
  const metric = () => grid().locator('thead th').last().getByRole('button')
  await expect(grid().locator('thead th')).toHaveCount(2)
  await expect(metric()).toHaveText('Clicks')
  const of = page.getByText(/^\d+ of \d+$/)
  await expect(of).toHaveText(/^1 of/)
  await page.getByRole('button', { name: 'Next metric: Unique clicks' }).click()
  await expect(metric()).toHaveText('Unique clicks')
  await expect(of).toHaveText(/^2 of/)
  await swipe(grid(), -120)
  await expect(of).toHaveText(/^3 of/)
  await swipe(grid(), 120)
  await expect(metric()).toHaveText('Unique clicks')
  await grid().focus()
  for (const key of ['Home', 'End', 'ArrowRight']) await page.keyboard.press(key)
  await expect(of).toHaveText(/^3 of/)
  await page.keyboard.press('ArrowLeft')
  await expect(of).toHaveText(/^2 of/)
  await metric().click()
  await expect(page).toHaveURL(/sort=/)
  await expect(metric()).toHaveText('Unique clicks')
  await page.getByRole('combobox', { name: 'Metric', exact: true }).selectOption({ label: 'Registrations' })
  await expect(metric()).toHaveText('Registrations')
  await expectNoSidewaysScroll(page)
  // A flat report names its further groups under the first one.
  await openRoute(page, '/general-report-old')
  await expect(grid().locator('thead th')).toHaveCount(2)
  await expect(grid().locator('tbody tr[data-visible-row] td').first()).toContainText(/\d\d\.\d\d\.\d{4}/)
})

test('on a phone the tabs of a form stand in one line, and the chosen one is in sight [NAV-10]', async () => {
  await openRoute(page, '/partners')
  await cards().first().locator('a[data-row]').click()
  await page
    .getByRole('link', { name: 'Edit' })
    .or(page.getByRole('tab', { name: 'Main' }))
    .first()
    .click()
  const tabs = page.getByRole('tab')
  await expect(tabs.first()).toBeVisible()
  const tops = await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top))
  expect(tops.length).toBeGreaterThan(3)
  expect(new Set(tops).size).toBe(1)
  await tabs.last().evaluate((tab) => (tab as HTMLElement).click())
  await expect(tabs.last()).toHaveAttribute('aria-selected', 'true')
  await expect(tabs.last()).toBeInViewport({ ratio: 0.99 })
})

test('on a phone a paused live tail is seen and resumed without opening a menu [NAV-10]', async () => {
  await openRoute(page, '/clicks')
  await page.getByRole('button', { name: 'Pause' }).click()
  const resume = page.getByRole('button', { name: 'Live', exact: true })
  await expect(resume).toBeVisible()
  await expect(page.getByRole('button', { name: 'More', exact: true })).toHaveAttribute('aria-expanded', 'false')
  await resume.click()
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
})

/** Runs `look` at 390 px in both languages, then restores the size and the language of the other tests. */
async function inBothLanguages(look: (language: string) => Promise<void>): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const language of ['ru', 'en']) {
    await page.evaluate((chosen) => localStorage.setItem('language', JSON.stringify(chosen)), language)
    await page.reload()
    await look(language)
  }
  await page.setViewportSize({ width: 360, height: 740 })
}

const headButtons = () => page.locator('main header button:visible')
const topsOf = (buttons: Locator) => buttons.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))

test('at 390 px the actions of a form take one line that begins with Save; the rest unfolds with words [NAV-10] [ENT-24]', async () => {
  await inBothLanguages(async (language) => {
    const words = language === 'ru' ? { save: 'Сохранить', more: 'Ещё' } : { save: 'Save', more: 'More' }
    for (const path of ['/advertisers/1/edit', '/partners/1/edit']) {
      await openRoute(page, path)
      const save = page.getByRole('button', { name: words.save, exact: true })
      await expect(save).toBeVisible()
      await page.locator('main form input').first().fill(`changed in ${language}`)
      await expect(page.locator('main header').getByRole('status')).toBeVisible()
      // The first button is the guide's, beside the title.
      const actions = headButtons()
      const tops = (await topsOf(actions)).slice(1)
      expect(tops, `${language} ${path}`).toHaveLength(3)
      expect(new Set(tops).size, `lines of ${path} in ${language}`).toBe(1)
      await expect(actions.nth(1)).toHaveText(words.save)
      await page.getByRole('button', { name: words.more, exact: true }).click()
      expect(await headButtons().count()).toBeGreaterThan(5)
      expect(await findBarriers(page, { tags: ['wcag2a', 'wcag2aa'] })).toEqual([])
      await page.reload()
    }
  })
})

test('at 390 px a report has its title and two lines above its rows, in both languages; the rest unfolds [NAV-10] [REP-01]', async () => {
  await inBothLanguages(async (language) => {
    for (const path of ['/general-report', '/general-report-old', '/cohort-analysis']) {
      await openRoute(page, path)
      await expect(grid()).toBeVisible()
      const title = await page.locator('h1').boundingBox()
      const table = await grid().boundingBox()
      // Two lines of 44 px with their gaps.
      const between = (table?.y ?? 0) - (title?.y ?? 0) - (title?.height ?? 0)
      expect(between, `height above the rows of ${path} (${language})`).toBeLessThan(130)
      const more = page.getByRole('button', { name: language === 'ru' ? 'Ещё' : 'More', exact: true })
      await more.click()
      await expect(page.locator('main header nav a').first()).toBeVisible()
      await expect(page.locator('#report-more button')).toHaveCount(2)
      expect(await smallTargets(page)).toEqual([])
      expect(await findBarriers(page, { tags: ['wcag2a', 'wcag2aa'] })).toEqual([])
      await expectNoSidewaysScroll(page)
    }
  })
})

test('at 360 px no route scrolls sideways, and every target is as large as a finger [NAV-10]', async () => {
  const found: string[] = []
  for (const path of await everyAddress(page)) {
    await openRoute(page, path)
    const wide = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('main')].some((box) => box.scrollWidth > box.clientWidth),
    )
    if (wide) found.push(`${path} scrolls sideways`)
    found.push(...(await smallTargets(page)).map((target) => `${path}: ${target}`))
  }
  expect(found).toEqual([])
})
