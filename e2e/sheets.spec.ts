// Spend sheets on the real product: parsing one by hand with progress, warnings that lead to their cells, and the access test in Settings.
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { apiOf, type Row } from './admin-api.ts'
import { findBarriers } from './page-parts.ts'
import { signIn } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

let context: BrowserContext
let page: Page
/** A partner of the demo with a spend sheet. */
let partner: string
let file: string

test.beforeAll(async ({ browser }) => {
  context = await browser.newContext({ viewport: { width: 1440, height: 1000 } })
  page = await context.newPage()
  await page.goto('/spends-parsing-logs')
  await signIn(page)
  await expect(page).toHaveURL(/spends-parsing-logs/)
  const { items } = await apiOf(page).done('GET', 'partner_partner_group?limit=-1')
  const found = (items as Row[]).find(({ spend_spreadsheet_id: id }) => String(id).startsWith('demo-spends-'))
  if (found === undefined) throw new Error('no partner of the demo has a spend sheet')
  partner = (found.partner as { title: string }).title
  file = String(found.spend_spreadsheet_id)
})

test.afterAll(() => context.close())

test('a sheet is previewed and parsed by hand, with progress; the log leads to the cells [SPD-04] [MON-08]', async () => {
  await page.getByRole('button', { name: 'Parse a sheet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Partner').click()
  await page.keyboard.type(partner)
  await page.getByRole('option', { name: partner, exact: true }).click()
  // On the first day of a month its own tab is empty.
  await dialog.getByLabel('Month', { exact: true }).click()
  await page.getByRole('listbox').getByRole('option').nth(1).click()
  await page.route(
    '**/preview_sheet',
    async (route) => {
      const seen = await (await route.fetch()).json()
      await route.fulfill({ json: { ...seen, rows_changed: 1, rows_removed: 3 } })
    },
    { times: 1 },
  )
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText('A parse changes 1 sum', { exact: true })).toBeVisible()
  await expect(dialog.getByText('A parse removes 3 sums that the sheet no longer has')).toBeVisible()
  await expect(
    dialog.getByText(
      /^Tab “.+”, a (?:column for each day|row for each spend): \d+ spends?(?:; \d+ of them would be imported)?$/,
    ),
  ).toBeVisible()
  await expect(dialog.getByRole('list', { name: 'Warnings' }).getByRole('listitem').first()).toBeVisible()
  const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  expect(await findBarriers(page, { within: '[role=dialog]', tags: wcag })).toEqual([])
  // One heading serves one column.
  const keep = dialog.getByRole('button', { name: 'Keep these headings' })
  for (const column of ['Stream', 'Country']) {
    await dialog
      .getByRole('combobox', { name: column })
      .or(dialog.getByLabel(column, { exact: true }))
      .first()
      .click()
    await page.getByRole('listbox', { name: column }).getByRole('option').first().click()
  }
  await expect(dialog.getByText('Chosen for another column, too')).toHaveCount(2)
  await expect(keep).toBeDisabled()
  await dialog.getByRole('button', { name: 'Parse', exact: true }).click()
  await expect(dialog.getByRole('status').filter({ hasText: 'Parsed' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()

  // The clock may have parsed the same sheet meanwhile: this row is the one of this run, the latest by hand.
  await page.goto(`/spends-parsing-logs?filter[trigger]=manual&filter[file_id]=${file}`)
  const row = page.getByRole('row').filter({ hasText: partner }).first()
  await expect(row).toContainText('Warnings')
  await row.getByRole('link').first().click()
  const log = page.getByRole('dialog')
  await expect(log).toContainText('By hand')
  const cell = log.getByRole('list', { name: 'Warnings' }).getByRole('link').first()
  await expect(cell).toHaveAttribute('href', new RegExp(`/spreadsheets/d/${file}/edit#gid=\\d+&range=[A-Z]+\\d+$`))
})

test('of a partner’s groups the one with a sheet is chosen [SPD-04]', async () => {
  const api = apiOf(page)
  const { id } = await api.done('POST', 'partner', { title: 'Two groups' })
  const groups: Row[] = []
  for (const title of ['Without a sheet', 'With a sheet'])
    groups.push(await api.done('POST', 'partner_group', { title }))
  for (const [place, { id: group }] of groups.entries())
    await api.done('POST', 'partner_partner_group', {
      ...{ partner: id, partner_group: group },
      ...(place === 1 ? { spend_spreadsheet_id: file } : {}),
    })
  await page.goto('/spends-parsing-logs')
  await page.getByRole('button', { name: 'Parse a sheet' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Partner').click()
  await page.keyboard.type('Two groups')
  await page.getByRole('option', { name: 'Two groups' }).click()
  await expect(dialog.getByRole('combobox', { name: 'Group' }).or(dialog.getByLabel('Group')).first()).toHaveValue(
    'With a sheet',
  )
})

test('the log shows times of the zone by which it is filtered, and its months are filtered by months [SPD-04] [LIST-08]', async () => {
  await page.goto('/spends-parsing-logs')
  await expect(page.getByRole('columnheader', { name: /Parsed/ })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: /UTC/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('button', { name: 'Spend month: Choose months' }).click()
  const panel = page.getByRole('dialog', { name: 'Spend month' })
  await expect(panel.getByRole('button', { name: 'Today' })).toHaveCount(0)
  await panel.getByRole('button', { name: 'This month' }).click()
  await expect(page.getByRole('button', { name: /^Spend month: \p{L}+ \d{4}$/u }).first()).toBeVisible()
  await expect(page).toHaveURL(/spend_month/)
})

test('Settings say when jobs ran and will run, and whether a sheet can be read [SPD-04] [ENT-23]', async () => {
  // The demo parses its sheets in the first minute after its start.
  await expect(async () => {
    await page.goto('/settings')
    await page.getByRole('tab', { name: 'Spends' }).click()
    await expect(page.getByText(/^last .+ UTC, \d+ files?; next .+ 03:00 UTC$/)).toBeVisible({ timeout: 5000 })
  }).toPass({ timeout: 75_000 })
  const field = page.getByLabel('Address or ID of a spreadsheet')
  const button = page.getByRole('button', { name: 'Test access' })
  await field.fill(`https://docs.google.com/spreadsheets/d/${file}/edit#gid=0`)
  await button.click()
  await expect(page.getByText(`Open: “${partner}: spends”`)).toBeVisible()
  await field.fill('no-such-spreadsheet-here')
  await button.click()
  await expect(page.getByText('There is no such spreadsheet')).toBeVisible()
  await expect(page.getByText(/; next .+ 06:00 UTC$/)).toBeVisible()
  await page.getByRole('tab', { name: 'Players' }).click()
  await expect(page.getByText(/^last .+ UTC; next .+ UTC$/)).toBeVisible()
  await page.getByRole('tab', { name: 'Back-ups' }).click()
  await expect(page.getByText('has not run yet; does not run, because it is not set up')).toBeVisible()
})

test('deleting a sum that a sheet has warns that the next parse writes it again [SPD-04] [MON-08]', async () => {
  const { items } = await apiOf(page).done('GET', 'partner_spend?limit=10&filter[source]=sheet&order[id]=DESC')
  const [spend] = items as Row[]
  await page.goto(`/partners-spends/${spend?.id}/edit`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const question = page.getByRole('dialog', { name: /^Delete “/ })
  await expect(question.getByText(/This sum is in the sheet, and the next parse adds it again/)).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)
})
