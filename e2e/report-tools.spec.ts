// Tools of a report: filters by rows, formulas, saved reports, export, as known on. The tests use past days.
import { readFile } from 'node:fs/promises'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { dialogOf } from './page-parts.ts'
import { signIn } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

const SEARCH = 'by=offer.traffic_source&from=2026-01-01&to='
const pastDay = () => new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)

let context: BrowserContext
let page: Page
const grid = () => page.getByRole('treegrid')
const rows = () => grid().locator('tbody tr[data-visible-row]')
const titles = () => rows().locator('td[data-column="0"]').allTextContents()

test.beforeAll(async ({ browser }) => {
  context = await browser.newContext({ viewport: { width: 1600, height: 900 }, acceptDownloads: true })
  page = await context.newPage()
  await page.goto(`/general-report?${SEARCH}${pastDay()}`)
  await signIn(page)
  await page.goto(`/general-report?${SEARCH}${pastDay()}`)
  await expect(rows().nth(3)).toBeVisible()
})

test.afterAll(() => context.close())

test('selected rows are shown alone or excluded, by chips that can be removed [REP-14]', async () => {
  const before = await titles()
  await page.getByRole('button', { name: 'Select rows' }).click()
  await rows().nth(0).getByRole('checkbox').click()
  await rows().nth(2).getByRole('checkbox').click()
  await expect(page.getByText('2 rows selected')).toBeVisible()
  await page.getByRole('button', { name: 'Only these', exact: true }).click()
  await expect(rows()).toHaveCount(2)
  expect(new Set(await titles())).toEqual(new Set([before[0], before[2]]))
  await page.getByRole('button', { name: 'Remove: Offers' }).click()
  await expect.poll(titles).toEqual(before)
})

test('`/` finds rows by their names [REP-05]', async () => {
  const [first = ''] = await titles()
  await page.locator('h1').click()
  await page.keyboard.press('/')
  await page.keyboard.type(first.slice(0, 9))
  await expect(page.getByText(/rows? found$/)).toBeVisible()
  await page.keyboard.press('Escape')
})

/** At a second try the formula of the first one exists. */
const formulaName = () => (test.info().retry === 0 ? 'Twice the clicks' : 'Clicks times two')

test('a formula is computed at every level [REP-14]', async () => {
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'Add a formula…' }).click()
  await page.getByLabel('Name').fill(formulaName())
  await page.getByLabel('Formula').fill('cc *')
  await expect(page.getByText('The formula ends too early')).toBeVisible()
  await page.getByLabel('Formula').fill('cc * 2')
  await page.getByText('Number', { exact: true }).click()
  await page.getByRole('button', { name: 'Save for the team' }).click()
  await expect(page.getByRole('checkbox', { name: formulaName() })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Add a formula…' })).toBeHidden()
})

test('a number of a formula opens its metrics [REP-13] [REP-14]', async () => {
  const clicks = (await rows().nth(0).locator('td[data-column="1"]').textContent()) ?? ''
  // The formula's column is the last one, outside the viewport.
  await grid().focus()
  for (const key of ['Control+Home', 'Control+Home', 'End']) await page.keyboard.press(key)
  const numberOf = (text: string | null) => Number(text?.replace(/[^\d.]/g, ''))
  // The column is rendered before its numbers arrive.
  await expect
    .poll(async () => numberOf(await rows().nth(0).locator('td').last().textContent()))
    .toBe(2 * numberOf(clicks))
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByText(formulaName())).toBeVisible()
  await expect(drawer.getByText('cc * 2')).toBeVisible()
  await expect(drawer.getByTestId('drill-total')).toHaveText(`= ${clicks}`)
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await page.keyboard.press('Home')
})

test('an exported file has the shown columns, including the formula [REP-14]', async () => {
  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Text (.csv)' }).click()
  const file = await download
  const text = await readFile(await file.path(), 'utf8')
  const [head = '', ...lines] = text.trim().split(/\r?\n/)
  expect(head).toContain('Offer,Traffic source,Clicks')
  // Where income is not reported yet, a column and a note follow.
  expect(head).toContain(`,${formulaName()}`)
  const total = lines.find((line) => line.startsWith('Total,'))?.split(',') ?? []
  // Titles of other columns hold a comma.
  expect(total.map(Number)).toContain(2 * Number(total[2]))
})

test('a saved report opens by its unique name and is mailed on request [REP-16]', async () => {
  await page.getByRole('button', { name: 'Saved reports' }).click()
  await page.getByRole('button', { name: 'Save this report…' }).click()
  await page.getByLabel('Name').fill('By offers')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Save this report…' }).click()
  await page.getByLabel('Name').fill('By offers')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription('This title is already in use')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Email “By offers”' }).click()
  await page.getByRole('button', { name: 'Send now' }).click()
  await expect(page.getByText('sent', { exact: true })).toBeVisible({ timeout: 30_000 })
  await page.goto('/general-report?by=month&from=2026-06-01&to=2026-06-30')
  await page.getByRole('button', { name: 'Saved reports' }).click()
  await page.getByRole('button', { name: 'Open “By offers”' }).click()
  await expect(page).toHaveURL(/by=offer\.traffic_source/)
})

test('the default saved report opens if the address is empty [REP-16]', async () => {
  // No other test opens this report without parameters: the default applies to the user everywhere.
  await page.goto('/general-report-old?by=month&from=2026-06-01&to=2026-06-30')
  await page.getByRole('button', { name: 'Saved reports' }).click()
  await page.getByRole('button', { name: 'Save this report…' }).click()
  await page.getByLabel('Name').fill('By months')
  await page.getByRole('checkbox', { name: /default|by itself/i }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Open “By months”' })).toBeVisible()
  await page.goto('/general-report-old')
  await expect(page).toHaveURL(/general-report-old\?.*by=month/)
  await page.goto('/general-report')
  await expect(page).toHaveURL(/by=offer\.traffic_source/)
})

test('a saved report is renamed, shared and made the default without saving its state again [REP-16]', async () => {
  await page.goto('/general-report-old?by=day&from=2026-06-01&to=2026-06-30')
  await page.getByRole('button', { name: 'Saved reports' }).click()
  await page.getByRole('button', { name: 'Save this report…' }).press('Enter')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Days')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Save this report…' })).toBeFocused()
  // The screen shows another state than the saved report, which must not change.
  await page.goto('/general-report-old?by=week&from=2026-06-01&to=2026-06-30')
  await page.getByRole('button', { name: 'Saved reports' }).click()
  await page.getByRole('button', { name: 'Edit “Days”' }).press('Enter')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.getByLabel('Name').fill('By months')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription('This title is already in use')
  await page.getByLabel('Name').fill('By days')
  await page.getByRole('checkbox', { name: /^Shared with everyone/ }).press('Space')
  await page.getByRole('checkbox', { name: /^Open by default/ }).press('Space')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Edit “By days”' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Open “By days”' })).toHaveText('By daysdefault · shared')
  await expect(page.getByRole('button', { name: 'Open “By months”' })).toHaveText('By months')
  // A deletion can be undone.
  await page.getByRole('button', { name: 'Delete “By months”' }).click()
  await dialogOf(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  // The notice of the change before may still be there.
  await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
  if (!(await page.getByRole('button', { name: 'Open “By days”' }).isVisible()))
    await page.getByRole('button', { name: 'Saved reports' }).click()
  await expect(page.getByRole('button', { name: 'Open “By months”' })).toBeVisible()
  await page.getByRole('button', { name: 'Open “By days”' }).click()
  await expect(page).toHaveURL(/by=day/)
})

test('a report follows its user: another tab views as someone else, and back [PERM-07] [REP-11]', async () => {
  await page.goto(`/general-report?by=partner&from=2026-01-01&to=${pastDay()}`)
  const total = () => grid().locator('tfoot td[data-column="1"]').textContent()
  await expect(rows().nth(3)).toBeVisible()
  const all = await total()
  const other = await context.newPage()
  await other.goto('/users')
  const call = (method: string, path: string) =>
    other.evaluate(
      async ([method, path]) => {
        const { token } = JSON.parse(localStorage.getItem('token_data') ?? '{}') as { token?: string }
        const answer = await fetch(`/api/${path}`, { method, headers: { authorization: `Bearer ${token}` } })
        return (answer.status === 204 ? {} : await answer.json()) as { items?: { id: number; email: string }[] }
      },
      [method, path] as const,
    )
  const { items = [] } = await call('GET', 'user?limit=-1')
  const manager = items.find(({ email }) => email.startsWith('oksana.melnyk'))
  await call('POST', `user/${manager?.id}/view_as`)
  await expect.poll(total).not.toBe(all)
  await call('DELETE', 'profile/view_as')
  await expect.poll(total).toBe(all)
  // A filter whose list the partner may not read has no options.
  const managers = page.getByRole('group', { name: 'Managers', exact: true })
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await expect(managers).toBeVisible()
  const partner = items.find(({ email }) => email.startsWith('northwind.media'))
  await call('POST', `user/${partner?.id}/view_as`)
  await expect(managers).toBeHidden()
  await expect(page.getByRole('group', { name: 'Offers', exact: true })).toBeVisible()
  await call('DELETE', 'profile/view_as')
  await other.close()
})

test('a report lists what changed since a moment [REP-16]', async () => {
  await page.getByRole('button', { name: 'More choices' }).click()
  await page.getByRole('button', { name: 'A week ago' }).click()
  await page.getByRole('button', { name: 'What changed since' }).click()
  await expect(page.getByText(/^Changes are recorded since|Nothing in this report has changed/).first()).toBeVisible()
})

test('a spend under the mouse shows the prices and percentages of its days, which add up to it [REP-13] [MON-04]', async () => {
  // Few columns, so that none lies outside of the window.
  await page.goto(`/general-report?by=payment_model&columns=nd.s&from=2026-01-01&to=${pastDay()}`)
  await expect(rows().nth(1)).toBeVisible()
  const toNumber = (text: string | null) => Number((text ?? '').replaceAll(/[^\d.]/g, ''))
  const heads = await grid().locator('thead th').allTextContents()
  const spend = heads.findIndex((text) => text.startsWith('Spend'))
  const models = rows().filter({ has: page.getByText('CPA', { exact: true }) })
  const number = models.locator(`td[data-column="${spend}"]`)
  await number.hover()
  const tooltip = page.getByRole('tooltip')
  const shown = await number.textContent()
  await expect(tooltip).toContainText('Terms of Spend')
  await expect(tooltip).toContainText(`= ${shown}`)
  const amounts = await tooltip.locator('dd').allTextContents()
  expect(amounts.length).toBeGreaterThan(1)
  expect(amounts.reduce((sum, text) => sum + toNumber(text), 0)).toBeCloseTo(toNumber(shown), 0)
  await number.click()
  await expect(tooltip).toBeHidden()
  const drawer = page.getByRole('dialog')
  await expect(drawer.locator('dl dd').first()).toHaveText(amounts[0] ?? '')
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
})

test('a spend under the mouse shows its terms in every report that opens it [REP-13] [MON-04]', async () => {
  const tooltip = page.getByRole('tooltip')
  const days = `from=2026-01-01&to=${pastDay()}`
  for (const address of [`/costs-report?${days}`, `/cohort-analysis-old?${days}`]) {
    await page.goto(address)
    await expect(rows().first()).toBeVisible()
    const heads = await grid().locator('thead th').allTextContents()
    const spend = heads.findIndex((text) => text.startsWith('Spend'))
    const number = grid().locator(`tbody td[data-column="${spend}"]`).filter({ hasText: /[1-9]/ }).first()
    await number.hover()
    await expect(tooltip).toContainText('Terms of Spend')
    await expect(tooltip).toContainText(`= ${await number.textContent()}`)
    await page.mouse.move(0, 0)
    await expect(tooltip).toBeHidden()
  }
  await page.goto(`/dashboard?metric=s&period=month&${days}`)
  const card = page.getByRole('region', { name: 'Top 5 partners' })
  await card.getByText('Table', { exact: true }).click()
  await card.getByRole('button').last().hover()
  await expect(tooltip).toContainText('Terms of Spend')
  await page.mouse.move(0, 0)
  await expect(tooltip).toBeHidden()
})

test('the comparison period may be any days; the address keeps them [REP-03] [NAV-12]', async () => {
  await page.goto('/general-report?by=offer&from=2026-07-01&to=2026-07-10')
  await expect(rows().first()).toBeVisible()
  const compare = page.getByRole('button', { name: /^Second period/ })
  await compare.click()
  await page.getByRole('menuitem', { name: 'Custom period…' }).click()
  const panel = page.getByRole('dialog', { name: 'Second period' })
  await expect(panel.getByLabel('From')).toHaveValue('21.06.2026')
  await expect(panel.locator(':focus')).toHaveCount(1)
  await panel.getByLabel('From').fill('01.05.2026')
  await panel.getByLabel('To').fill('31.05.2026')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await expect(compare).toHaveText(/01\.05–31\.05/)
  await expect(page).toHaveURL(/second=2026-05-01\.\.2026-05-31/)
  await expect(grid().locator('tfoot td[data-column="1"]')).toHaveAttribute('title', /\(01\.05–31\.05\)$/)
  await page.reload()
  await expect(compare).toHaveText(/01\.05–31\.05/)
  await expect(grid().locator('tfoot td[data-column="1"]')).toHaveAttribute('title', /\(01\.05–31\.05\)$/)
})
