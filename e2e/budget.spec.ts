// The budget cockpit on the real product: figures that open their report, amounts edited in place, states and reasons.
import AxeBuilder from '@axe-core/playwright'
import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test'
import { apiOf } from './admin-api.ts'
import { signIn } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

let context: BrowserContext
let page: Page

/** A finished month, which live traffic does not change. */
function lastMonth(): string {
  const first = new Date()
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() - 1)
  return first.toISOString().slice(0, 7)
}

const tree = (): Locator => page.getByRole('region', { name: 'Budget plan', exact: true })
const countryRows = (): Locator => tree().locator('tbody tr[data-row*=" · "]')
const toNumber = (text: string | null): number =>
  Number((text ?? '').replace(/[^\d.\u2212-]/g, '').replace('\u2212', '-'))

async function openMonth(month: string): Promise<void> {
  await page.goto(`/budget-plan?month=${month}`)
  await expect(countryRows().first()).toBeVisible()
}

test.beforeAll(async ({ browser }) => {
  context = await browser.newContext({ viewport: { width: 1440, height: 1000 } })
  page = await context.newPage()
  await page.goto('/budget-plan')
  await signIn(page)
  await expect(page).toHaveURL(/budget-plan/)
})

test.afterAll(() => context.close())

test('a figure opens its report, which shows the same number [MON-09] [SPD-05]', async () => {
  await openMonth(lastMonth())
  const row = countryRows().first()
  const name = (await row.getAttribute('data-row')) ?? ''
  const link = row.getByRole('link').first()
  const shown = toNumber(await link.textContent())
  expect(shown).toBeGreaterThan(0)
  await link.click()
  await expect(page).toHaveURL(/general-report/)
  const report = page.getByRole('treegrid')
  await expect(report.locator('tbody tr[data-place="0"]')).toBeVisible()
  const heads = await report.locator('thead th').allTextContents()
  const spend = heads.findIndex((text) => text.startsWith('Spend'))
  const total = report.locator(`tbody tr[data-place="0"] td[data-column="${spend}"]`)
  expect(Math.floor(toNumber(await total.textContent()))).toBe(shown)
  await expect(page.getByRole('treegrid').locator('tbody')).toContainText(name.split(' · ')[0] ?? '')
  await page.goBack()
  await expect(tree()).toBeVisible()
})

test('the plan of a closed month is read-only [MON-10]', async () => {
  // A month before the demo's first, which no other file works in. A second try finds it closed.
  const { items } = await apiOf(page).done('GET', 'period_close?limit=1&filter[month]=2024-02')
  if ((items as unknown[]).length === 0) await apiOf(page).done('POST', 'period_close', { month: '2024-02' })
  await page.goto('/budget-plan?month=2024-02')
  await expect(page.getByText('The month is closed: its plan can be read, not changed.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy last month' })).toHaveCount(0)
  await expect(tree().getByRole('button', { name: /^Plan / })).toHaveCount(0)
})

test('an approved amount is edited in place with a reason, which is stored [MON-10] [MON-09]', async () => {
  await openMonth(new Date().toISOString().slice(0, 7))
  const row = countryRows().filter({ hasText: 'Approved' }).first()
  const name = (await row.getAttribute('data-row')) ?? ''
  const own = tree()
    .locator('tbody tr')
    .and(page.locator(`[data-row="${name}"]`))
  await own.getByRole('button', { name: `Plan ${name}` }).click()
  const input = own.getByRole('textbox')
  await input.fill('12 345,50')
  await input.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('The brand opens a month earlier')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(own).toContainText('Proposed')
  await expect(own.getByRole('button', { name: `Plan ${name}` })).toContainText(/1[\s\u202f]?[1-9][\s\u202f]?\d/)
  await own.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Versions' }).click()
  await expect(page.getByRole('dialog')).toContainText('The brand opens a month earlier')
  await page.keyboard.press('Escape')
  await own.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Approve' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(own).toContainText('Approved')
})

test('an approved plan is offered neither deactivation nor deletion [MON-10]', async () => {
  const menuOf = async (state: string) => {
    await page.goto(`/budgets?filter[state]=${state}`)
    await page
      .getByRole('button', { name: /^Actions on/ })
      .first()
      .click()
    await expect(page.getByRole('menuitem', { name: 'Open' })).toBeVisible()
    const items = await page.getByRole('menuitem').allTextContents()
    await page.keyboard.press('Escape')
    return items
  }
  expect(await menuOf('approved')).toEqual(['Open'])
  expect(await menuOf('draft')).toEqual(['Open', 'Deactivate', 'Delete'])
})

test('a warning chip filters by countries, the search by advertisers [MON-09]', async () => {
  await openMonth(lastMonth())
  const all = await countryRows().count()
  const chip = page.getByRole('group', { name: 'Warnings' }).getByRole('button').first()
  const count = toNumber(await chip.textContent())
  await chip.click()
  await expect(countryRows()).toHaveCount(count)
  await chip.click()
  await expect(countryRows()).toHaveCount(all)
  const first = ((await countryRows().first().getAttribute('data-row')) ?? '').split(' · ')[0] ?? ''
  await page.getByRole('textbox', { name: 'Find an advertiser or country' }).fill(first)
  await expect(tree().locator(`tbody tr[data-row="${first}"]`)).toBeVisible()
  await expect.poll(async () => countryRows().count()).toBeLessThan(all)
})

test('an alert on the dashboard is dismissed and brought back, and opens the plan filtered by it; a mail a day is switched on and off [MON-09] [SPD-05]', async () => {
  await page.goto('/dashboard')
  const queue = page.getByRole('region', { name: 'What needs me' })
  const kind = queue.getByRole('button', { name: /^Spend without a plan/ })
  await kind.click()
  const items = queue.getByRole('list', { name: 'Spend without a plan' }).getByRole('listitem')
  await expect(items).toHaveCount(toNumber(await kind.locator('b').textContent()))
  const mail = queue.getByRole('switch', { name: 'A mail a day' })
  await mail.click()
  await expect(mail).toBeChecked()
  await expect(queue.getByText(/^At .+, if there are alerts/)).toBeVisible()
  await page.reload()
  await expect(mail).toBeChecked()
  await mail.click()
  await expect(mail).not.toBeChecked()
  const { violations } = await new AxeBuilder({ page }).include('section[aria-label="What needs me"]').analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  await kind.click()
  // A dismissed alert is gone at once, stays gone, and can be brought back.
  const first = (await items.first().getByRole('link').textContent()) ?? ''
  await items.first().getByRole('button', { name: 'Dismiss' }).click()
  const dismissed = queue.getByRole('button', { name: 'Dismissed: 1' })
  await expect(dismissed).toBeVisible()
  await page.reload()
  await dismissed.click()
  const kept = queue.getByRole('list', { name: 'Dismissed until it changes' })
  await expect(kept.getByRole('link')).toHaveText([first])
  await kept.getByRole('button', { name: 'Bring back' }).click()
  await expect(kept).toBeHidden()
  await kind.click()
  await expect(items.getByRole('link', { name: first, exact: true })).toBeVisible()
  const link = items.first().getByRole('link')
  const title = (await link.textContent()) ?? ''
  await link.click()
  await expect(page).toHaveURL(/budget-plan.*warning=spend_without_plan/)
  await expect(tree().locator(`tbody tr[data-row="${title}"]`)).toContainText('Spend without a plan')
})

test('the cockpit is accessible in both themes and at the width of a phone [NAV-10]', async () => {
  await openMonth(lastMonth())
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await expect(countryRows().first()).toBeVisible()
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  }
})
