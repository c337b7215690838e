// The budget cockpit on the real product: figures that open their report, amounts edited in place, states and reasons.
import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test'
import { addDays, DEFAULT_ZONE, monthBefore, today } from '@tributary/contract/period'
import { apiOf, type Row } from './admin-api.ts'
import { expectAccessibleLooks, findBarriers } from './page-parts.ts'
import { signIn } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

let context: BrowserContext
let page: Page

/** A finished month. */
const lastMonth = (): string => monthBefore(today(DEFAULT_ZONE).slice(0, 7))

const tree = (): Locator => page.getByRole('region', { name: 'Budget plan', exact: true })
const countryRows = (): Locator => tree().locator('tbody tr[data-row*=" · "]')
const toNumber = (text: string | null): number =>
  Number((text ?? '').replace(/[^\d.\u2212-]/g, '').replace('\u2212', '-'))

/** Checks the spend of the first row of the report that a figure has opened, floored as the plan's figures are. */
async function expectSpendOfFirstRow(shown: number): Promise<void> {
  await expect(page).toHaveURL(/general-report/)
  const report = page.getByRole('treegrid')
  await expect(report.locator('tbody tr[data-visible-row="0"]')).toBeVisible()
  const heads = await report.locator('thead th').allTextContents()
  const spend = heads.findIndex((text) => text.startsWith('Spend'))
  const total = report.locator(`tbody tr[data-visible-row="0"] td[data-column="${spend}"]`)
  // The browser's older answer is shown while a new one is on its way.
  await expect.poll(async () => Math.floor(toNumber(await total.textContent()))).toBe(shown)
}

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
  await expectSpendOfFirstRow(shown)
  await expect(page.getByRole('treegrid').locator('tbody')).toContainText(name.split(' · ')[0] ?? '')
  await page.goBack()
  await expect(tree()).toBeVisible()
})

test('the plan of a closed month is read-only [MON-10]', async () => {
  // A month before the demo's first, which no other file works in. A second try finds it closed.
  const month = addDays(today(DEFAULT_ZONE), -550).slice(0, 7)
  const { items } = await apiOf(page).done('GET', `period_close?limit=1&filter[month]=${month}`)
  if ((items as unknown[]).length === 0) await apiOf(page).done('POST', 'period_close', { month })
  await page.goto(`/budget-plan?month=${month}`)
  await expect(page.getByText('The month is closed: its plan can be read, not changed.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy last month' })).toHaveCount(0)
  await expect(tree().getByRole('button', { name: /^Plan / })).toHaveCount(0)
})

test('an approved amount is edited in place with a reason, which is stored [MON-10] [MON-09]', async () => {
  await openMonth(today(DEFAULT_ZONE).slice(0, 7))
  const row = countryRows().filter({ hasText: 'Approved' }).first()
  const name = (await row.getAttribute('data-row')) ?? ''
  const own = tree()
    .locator('tbody tr')
    .and(page.locator(`[data-row="${name}"]`))
  await own.getByRole('button', { name: `Plan ${name}` }).click()
  const input = own.getByRole('textbox')
  // A second try enters another amount, because an equal one changes nothing.
  await input.fill(`12 ${String(Date.now() % 1000).padStart(3, '0')},50`)
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

test('an amount is saved by Tab and by leaving it; Escape cancels and gives the focus back [MON-09] [NAV-10]', async () => {
  await openMonth(today(DEFAULT_ZONE).slice(0, 7))
  const drafts = countryRows().filter({ hasText: 'Draft' })
  const name = (await drafts.first().getAttribute('data-row')) ?? ''
  const button = tree().getByRole('button', { name: `Plan ${name}` })
  const field = tree().getByRole('textbox', { name: `Plan ${name}` })
  const enter = async (text: string) => {
    await button.click()
    await field.fill(text)
  }
  await enter('11')
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await enter('1 23')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('alert').filter({ hasText: 'is not an amount' })).toBeVisible()
  await field.fill('1 234')
  await field.press('Tab')
  await expect(page.getByText('Plan saved').first()).toBeVisible()
  await expect(button).toContainText(/1[\s\u202f]?234/)
  await expect(tree().locator('button[data-plan]:focus')).toHaveCount(1)
  await enter('4321')
  await page.getByRole('heading', { level: 1 }).click()
  await expect(button).toContainText(/4[\s\u202f]?321/)
})

test('steps of many budgets ask with their number, take the shown ones only, and are taken back [MON-10]', async () => {
  await openMonth(today(DEFAULT_ZONE).slice(0, 7))
  const drafts = countryRows().filter({ hasText: 'Draft' })
  const all = await drafts.count()
  const name = (await drafts.first().getAttribute('data-row')) ?? ''
  const [, country = ''] = name.split(' · ')
  await page.getByRole('textbox', { name: 'Find an advertiser or country' }).fill(country)
  await expect.poll(() => drafts.count()).toBeLessThan(all)
  const shown = await drafts.count()
  const proposed = await countryRows().filter({ hasText: 'Proposed' }).count()
  await page.getByRole('button', { name: `Propose drafts (${shown})` }).click()
  const dialog = page.getByRole('dialog')
  if (shown > 1) {
    await expect(dialog).toContainText(`Propose ${shown} budgets?`)
    await dialog.getByRole('button', { name: 'Propose' }).click()
  }
  const back = page.getByRole('button', { name: `Back to draft (${shown + proposed})` })
  await expect(back).toBeVisible()
  await back.click()
  if (shown + proposed > 1) await dialog.getByRole('button', { name: 'Back to draft' }).click()
  await expect(drafts).toHaveCount(shown + proposed)
  await page.getByRole('textbox', { name: 'Find an advertiser or country' }).fill('')
  await expect(drafts).toHaveCount(all + proposed)
})

test('an approved plan is offered neither deactivation nor deletion [MON-10]', async () => {
  const menuOf = async (state: string) => {
    await page.goto(`/budgets?filter[state]=${state}&filter[active]=1`)
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

test('the sums of filtered countries equal the report that they open [MON-09]', async () => {
  await openMonth(lastMonth())
  const foot = tree().locator('tfoot td').first()
  await expect(foot).toHaveText('Total')
  const [advertiser = '', country = ''] = ((await countryRows().first().getAttribute('data-row')) ?? '').split(' · ')
  await page.getByRole('textbox', { name: 'Find an advertiser or country' }).fill(country)
  await expect(foot).toHaveText(/^Total of \d+ shown countr(y|ies)$/)
  await expect(page.getByText('These figures cover the whole month')).toBeVisible()
  const row = tree().locator(`tbody tr[data-row="${advertiser}"]`)
  const link = row.getByRole('link').first()
  const shown = toNumber(await link.textContent())
  await link.click()
  await expectSpendOfFirstRow(shown)
  await expect(page).toHaveURL(/countries=/)
})

test('an alert on the dashboard is dismissed and brought back, and opens the plan filtered by it; a mail a day is switched on and off [MON-09] [SPD-05]', async () => {
  await lowerPlans()
  await page.goto('/dashboard')
  const queue = page.getByRole('region', { name: 'What needs me' })
  const kind = queue.getByRole('button', { name: /^Budget deficit/ })
  await kind.click()
  const items = queue.getByRole('list', { name: 'Budget deficit' }).getByRole('listitem')
  await expect(items).toHaveCount(toNumber(await kind.locator('b').textContent()))
  const mail = queue.getByRole('switch', { name: 'Daily email' })
  await mail.click()
  await expect(mail).toBeChecked()
  await expect(queue.getByText(/^Next: .+, if there are alerts/)).toBeVisible()
  await page.reload()
  await expect(mail).toBeChecked()
  await mail.click()
  await expect(mail).not.toBeChecked()
  expect(await findBarriers(page, { within: 'section[aria-label="What needs me"]' })).toEqual([])
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
  await expect(page).toHaveURL(/budget-plan.*warning=budget_deficit/)
  await expect(tree().locator(`tbody tr[data-row="${title}"]`)).toContainText('Budget deficit')
})

/** Two plans below what is predicted, on any day of the month: alerts of a kind fold if there are several. */
async function lowerPlans(): Promise<void> {
  const month = `${today(DEFAULT_ZONE).slice(0, 7)}-01`
  const { items } = await apiOf(page).done('GET', `budget?limit=2&filter[month]=${month}&filter[state]=approved`)
  for (const { id } of items as Row[])
    await apiOf(page).done('PATCH', `budget/${id}`, { planned: '1', reason: 'The brand closes' })
  const countDeficits = async () => {
    const { counts } = await apiOf(page).done('GET', 'alert')
    return (counts as Record<string, number>).budget_deficit ?? 0
  }
  // A job finds them.
  await expect.poll(countDeficits, { timeout: 60_000 }).toBeGreaterThan(1)
}

test('the cockpit is accessible in both themes and at the width of a phone [NAV-10]', async () => {
  await openMonth(lastMonth())
  await expectAccessibleLooks(page, () => expect(countryRows().first()).toBeVisible())
})
