// The palette: records, actions and recents by keyboard alone.
import { expect, type Page, test } from '@playwright/test'
import { apiOf, type Row } from './admin-api.ts'
import { dialogOf } from './page-parts.ts'
import { openPage } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

let page: Page
let partner: Row

test.beforeAll(async ({ browser }) => {
  page = await openPage(browser, '/offers')
  await expect(page.locator('a[data-row]').first()).toBeVisible()
  const { items } = await apiOf(page).done('GET', 'partner?limit=1&filter[active]=1&order[id]=ASC')
  partner = (items as Row[])[0] as Row
})

test.afterAll(() => page.context().close())

const options = () => dialogOf(page).getByRole('option')
async function type(text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await dialogOf(page).getByRole('combobox').fill(text)
}

test('a partner is found with two letters exchanged, and opened by Enter [NAV-11]', async () => {
  const title = String(partner.title)
  const typed = `${title[1]}${title[0]}${title.slice(2)}`.toLowerCase()
  await type(typed)
  await expect(options().filter({ hasText: title }).first()).toBeVisible()
  await expect(dialogOf(page).getByRole('group', { name: 'Partners' })).toBeVisible()
  await dialogOf(page).getByRole('combobox').fill(title)
  await expect(options().first()).toContainText(title)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/partners\/\d+$/)
})

test('what was opened is offered again, and a verb starts a partner offer [NAV-11]', async () => {
  await page.keyboard.press('Control+k')
  const recent = dialogOf(page).getByRole('group', { name: 'Recent' })
  await expect(recent.getByRole('option').first()).toContainText(String(partner.title))
  await page.keyboard.press('Escape')
  await type(`new ${String(partner.title)}`)
  await expect(options().first()).toContainText('New partner offer for')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/offer-partners\/create\?partner=\d+/)
})

test('the focus is at the heading of a page that the palette or Back opens, or in the first field of a form [NAV-11] [NAV-10]', async () => {
  const heading = page.locator('main h1 > [tabindex]')
  await page.goto('/offers')
  await expect(page.locator('a[data-row]').first()).toBeVisible()
  await type('currencies')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/currencies/)
  await expect(heading).toBeFocused()
  await page.locator('a[data-row]').first().press('Enter')
  await expect(page).toHaveURL(/\/currencies\/\d+/)
  await expect(heading).toBeFocused()
  await page.goBack()
  await expect(page).toHaveURL(/\/currencies(\?|$)/)
  await expect(heading).toBeFocused()
  await type('new offer')
  await options()
    .filter({ hasText: /^New offer/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/offers\/create/)
  await expect(page.locator('main form input').first()).toBeVisible()
  await expect(page.locator('main form input:focus')).toHaveCount(1)
})

test('a new record that is made in a dialog opens it over its list; once closed, it stays closed after a reload [NAV-11]', async () => {
  await page.goto('/offers')
  await expect(page.locator('a[data-row]').first()).toBeVisible()
  for (const [typed, path] of [
    ['new partner', 'partners'],
    ['new adjustment', 'adjustments'],
  ] as const) {
    await type(typed)
    await expect(options().first()).toHaveText(new RegExp(`^${typed}`, 'i'))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/${path}.*#create$`))
    await expect(dialogOf(page)).toHaveAccessibleName(new RegExp(typed, 'i'))
    await page.keyboard.press('Escape')
    await expect(dialogOf(page)).toHaveCount(0)
    await expect(page).not.toHaveURL(/#/)
  }
  await page.reload()
  await expect(page.locator('main h1')).toBeVisible()
  await expect(dialogOf(page)).toHaveCount(0)
})

test('a period after a name opens its report, and misspelt words find screens and new records [NAV-11]', async () => {
  await page.goto('/offers')
  await expect(page.locator('a[data-row]').first()).toBeVisible()
  await type(`${String(partner.title)} last month`)
  await expect(options().first()).toContainText(`Report: ${String(partner.title)}, last month`)
  await page.keyboard.press('Escape')
  await type('report last month')
  await expect(options().first()).toContainText('General report, last month')
  for (const [typed, shown] of [
    ['oferrs', 'Offers'],
    ['new ofer', 'New offer'],
    ['reprot', 'General report'],
    [`reprot ${String(partner.title)}`, `Report: ${String(partner.title)}`],
  ] as const) {
    await dialogOf(page).getByRole('combobox').fill(typed)
    await expect(options().first()).toContainText(shown)
  }
  await page.keyboard.press('Escape')
})
