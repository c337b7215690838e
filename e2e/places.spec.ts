// Finding one's place: coming back to a list, the audit log of people's changes, the search of settings.
import { expect, type Page, test } from '@playwright/test'
import { addDays, DEFAULT_ZONE, today } from '@tributary/contract/period'
import { apiOf } from './admin-api.ts'
import { saveIn } from './page-parts.ts'
import { openPage } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

/** Has rows at any time of the day; the period that a report opens with is empty after midnight. */
const PERIOD = `from=${addDays(today(DEFAULT_ZONE), -30)}&to=${today(DEFAULT_ZONE)}`

let page: Page

test.beforeAll(async ({ browser }) => {
  page = await openPage(browser, '/offer-partners')
})

test.afterAll(() => page.context().close())

test('a list that is opened again keeps its page and its scroll position [LIST-06] [LIST-05]', async () => {
  await page.goto('/offer-partners?page=2&limit=20')
  const box = page.getByRole('region', { name: 'Partner offers' })
  await expect(page.locator('main a[data-row]').first()).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 560 })
  await box.evaluate((element) => element.scrollTo(0, 200))
  const scrolled = () => box.evaluate((element) => Math.round(element.scrollTop))
  await expect.poll(scrolled).toBe(200)
  await page.locator('main a[data-row]').nth(8).click()
  await expect(page).toHaveURL(/offer-partners\/\d+$/)
  await page.goBack()
  await expect(page).toHaveURL(/page=2/)
  await expect.poll(scrolled).toBe(200)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('a list without rows is never blank: its columns stay until it is known what to say [LIST-14]', async () => {
  const held = Promise.withResolvers<void>()
  // The call that asks whether there are rows at all.
  const isCount = (url: URL): boolean => url.pathname === '/api/landing' && url.searchParams.get('limit') === '1'
  await page.route(isCount, async (route) => {
    await held.promise
    await route.fallback()
  })
  await page.goto('/landings?query=nothing-is-called-so')
  await expect(page.getByText('0 of 0').or(page.locator('main table')).first()).toBeVisible()
  await expect(page.locator('main table')).toContainText('Title')
  held.resolve()
  await expect(page.getByText('Nothing found').or(page.getByText('Clear filters')).first()).toBeVisible()
  await page.unroute(isCount)
})

test('the audit log opens on changes of people, with records and fields by name; switches add the product’s and sign-ins [ENT-24] [LIST-02]', async () => {
  await page.goto('/products')
  await page.locator('main a[data-row]').first().click()
  const title = await page.getByRole('textbox', { name: /^Title/ }).inputValue()
  await page.getByRole('textbox', { name: /^Title/ }).fill(`${title} 2`)
  await saveIn(page).click()
  await expect(page.getByText('Saved', { exact: true }).last()).toBeVisible()
  await page.goto('/audit-log')
  const row = page
    .getByRole('row')
    .filter({ hasText: `${title} 2` })
    .first()
  await expect(row).toContainText('Title')
  await expect(row).toContainText('Products')
  const shown = page.getByRole('switch', { name: 'Include system changes' })
  await expect(shown).not.toBeChecked()
  const totalOf = async () =>
    Number((await page.getByText(/^[\d\s]+–[\d\s]+ of/).textContent())?.split('of')[1]?.replaceAll(/\D/g, ''))
  const ofPeople = await totalOf()
  await shown.click({ force: true })
  await expect.poll(totalOf).toBeGreaterThan(ofPeople)
  // What the switches leave out is no filter of the user.
  await expect(page.getByRole('button', { name: 'Clear all' })).toBeHidden()
  const withProduct = await totalOf()
  await page.getByRole('switch', { name: 'Include sign-ins' }).click({ force: true })
  await expect.poll(totalOf).toBeGreaterThan(withProduct)
  await shown.click({ force: true })
  await expect(shown).not.toBeChecked()
  await page.getByRole('button', { name: 'Filters' }).click()
  await expect(page.getByRole('combobox', { name: 'How “Who” is compared' })).toHaveValue('in')
  await page.getByRole('button', { name: /^When: / }).click()
  await page.getByRole('button', { name: 'Today', exact: true }).click()
  await page.getByLabel('When: from').fill('00:01')
  await expect(page).toHaveURL(/filter%5Bat%5D%5Bbwn%5D=[\d-]+(%20|\+)00(%3A|:)01/)
  // A wrong time stays in its field, which rejects it; the filter stays as it was.
  const before = page.url()
  const end = page.getByRole('textbox', { name: 'When: to' })
  await end.fill('25:70')
  await page.getByLabel('When: from').focus()
  await expect(end).toHaveValue('25:70')
  await expect(end).toHaveAccessibleDescription('Invalid time: use the format 14:05')
  expect(page.url()).toBe(before)
  await end.fill('2315')
  await expect(page.getByText('Invalid time')).toBeHidden()
  await expect(page).toHaveURL(/23(%3A|:)15/)
})

test('settings are searched by name and meaning, and say who changed them last [ENT-23]', async () => {
  await page.goto('/settings')
  const search = page.getByRole('searchbox', { name: 'Find a setting' })
  await search.fill('shortened')
  const found = page.getByRole('region', { name: 'Retention' })
  const days = found.getByRole('textbox', { name: /Keep full IP addresses/ })
  await days.fill(String(Number(await days.inputValue()) + 1))
  await saveIn(page).click()
  await expect(page.getByText(/^Last changed by .*Keep full IP addresses of visitors, days$/)).toBeVisible()
  await search.fill('retention')
  await expect(days).toBeVisible()
  await search.fill('no setting means this')
  await expect(page.getByText('No setting matches these words.')).toBeVisible()
})

test('what another version stored, and what the address names wrongly, is left out [LIST-06] [LIST-11] [NAV-12]', async () => {
  const gone = { path: 'gone', operator: 'eq', values: ['1'] }
  const list = { limit: 20, order: [{ path: 'gone', desc: true }], conditions: [gone], panel: false }
  const columns = { shown: ['gone'], widths: { gone: 90 } }
  const stores: Record<string, string>[] = [
    { 'list:product': JSON.stringify(list), 'columns:product': JSON.stringify(columns) },
    { 'list:product': '{"limit":', 'columns:product': '[]', 'view:product': '"x"', favourites: '{' },
  ]
  const rows = page.locator('main a[data-row]')
  for (const store of stores) {
    await page.evaluate((entries) => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
    }, store)
    await page.goto('/products')
    await expect(rows.first()).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Title' })).toBeVisible()
    await page.evaluate((entries) => {
      for (const key of Object.keys(entries)) localStorage.removeItem(key)
    }, store)
  }
  await page.goto('/products?filter[gone]=1&order[gone]=DESC')
  await expect(rows.first()).toBeVisible()
  await page.goto(`/general-report?by=gone&columns=gone,clicks&sort=gone&${PERIOD}`)
  const row = page.getByRole('treegrid').locator('tbody tr[data-visible-row]').first()
  await expect(row).toBeVisible()
  // A row that the reader may not see, or that does not exist, leaves its filter; the way back does not lead into it.
  await page.goto('/products')
  await page.goto(`/general-report?by=offer&partners=[2000000000]&${PERIOD}`)
  await expect(page.getByRole('alert')).toContainText('were left out: Partners')
  await expect(row).toBeVisible()
  await expect(page).not.toHaveURL(/2000000000/)
  await page.goBack()
  await expect(page).toHaveURL(/products/)
})

test('a page beyond the last one shows the last one, and what the address names wrongly stays named [LIST-05] [NAV-12]', async () => {
  await page.goto('/products?page=999')
  await expect(page).not.toHaveURL(/page=999/)
  await expect(page.locator('main a[data-row]').first()).toBeVisible()
  await page.goto('/general-report?by=offer&from=abc&to=2026-13-45&partners=[2000000000]')
  await expect(page.getByRole('alert')).toContainText('were left out: Period, Partners')
})

test('the panel of filters is open or closed for each report alone [LIST-06]', async () => {
  await page.goto(`/general-report?by=offer&${PERIOD}`)
  const button = page.getByRole('button', { name: 'Filters', exact: true })
  await button.click()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await page.goto('/dashboard')
  await expect(button).toHaveAttribute('aria-expanded', 'false')
  await page.goto(`/general-report?by=offer&${PERIOD}`)
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await button.click()
})

test('a long name takes the room that the table leaves, and no more [LIST-11]', async () => {
  const title = `Room ${Date.now()} and a name that goes on and on for long`
  await apiOf(page).done('POST', 'product', { title })
  await page.goto('/products?order[id]=DESC')
  const link = page.locator('main a[data-row]', { hasText: title })
  await expect(link).toBeVisible()
  const { cut, sideways } = await link.evaluate((element) => {
    const box = element.closest('section')
    return {
      cut: element.scrollWidth - element.clientWidth,
      sideways: (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0),
    }
  })
  expect({ cut, sideways }).toEqual({ cut: 0, sideways: 0 })
})
