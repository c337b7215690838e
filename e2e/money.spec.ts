// A month from its close to the payment: closed for a group, previewed, stated, approved, paid, and read by the partner.
import { expect, type Page, test } from '@playwright/test'
import { addDays, DEFAULT_ZONE, startOfDay, today } from '@tributary/contract/period'
import { apiOf, type Row } from './admin-api.ts'
import { chooseIn, dialogOf, expectAccessibleLooks, follow } from './page-parts.ts'
import { admin, openPage } from './sign-in.ts'

test.describe.configure({ mode: 'serial' })

const MARK = `Payee ${Date.now().toString(36)}`
const LAST_DAY = addDays(`${today(DEFAULT_ZONE).slice(0, 7)}-01`, -1)
const MONTH = LAST_DAY.slice(0, 7)
/** 'Oct 2026', as screens show it. */
const SHOWN = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric' }).format(
  new Date(`${LAST_DAY}T12:00:00Z`),
)

let page: Page
let partner: Row
let user: Row

const api = () => apiOf(page)
const listed = async (path: string): Promise<Row[]> => (await api().done('GET', path)).items as Row[]

/** A partner of the group with one AGENCY partner offer, billing, and 100.00 of spend on the last day of last month. */
async function makePartner(title: string, group: number): Promise<Row> {
  const [offer] = await listed(
    'offer?limit=1&filter[payment_model.type]=AGENCY&filter[state]=approved&filter[active]=1',
  )
  const [source] = await listed('traffic_source?limit=1&filter[active]=1')
  const [euro] = await listed('currency?limit=1&filter[value]=EUR')
  const made = await api().done('POST', 'partner', { title, state: 'approved' })
  await api().done('POST', 'partner_partner_group', { partner: made.id, partner_group: group })
  const stream = await api().done('POST', 'partner_stream', { partner: made.id, title })
  const link = await api().done('POST', 'offer_partner', {
    offer: offer?.id,
    partner: made.id,
    stream: stream.id,
    traffic_source: source?.id,
    site_id: title.replaceAll(' ', '-'),
    state: 'approved',
  })
  const place = (await api().done('GET', `offer/${offer?.id}`)).advertiser_country as Row
  const { country } = (await api().done('GET', `advertiser_country/${place.id}`)) as unknown as { country: Row }
  await api().done('POST', 'player', {
    advertiser: ((offer?.advertiser ?? {}) as Row).id,
    outer_id: title,
    offer_partner: link.id,
    registered_at: new Date(startOfDay(LAST_DAY, DEFAULT_ZONE)).toISOString(),
  })
  const spend = { stream: stream.id, country: country.id, date: LAST_DAY, sum: '100', currency: euro?.id }
  await api().done('POST', 'partner_spend', spend)
  const { password } = admin()
  await api().done('PUT', `partner/${made.id}/billing`, {
    currency: euro?.id,
    legal_name: 'Company',
    method: 'card',
    current_password: password,
  })
  return made
}

/** The partner of the test with a user, in a group of their own. */
async function makePayee(): Promise<void> {
  const group = await api().done('POST', 'partner_group', { title: MARK })
  partner = await makePartner(MARK, group.id)
  const [role] = await listed('user_role?limit=1&filter[kind]=PARTNER')
  const email = `${MARK.replace(' ', '-')}@partner.example`
  user = await api().done('POST', 'user', {
    full_name: 'Pat Payee',
    email,
    role: role?.id,
    partner: partner.id,
  })
  // One person makes and approves here.
  await api().done('POST', 'setting', { statement_approval: 'never' })
}

test.beforeAll(async ({ browser }) => {
  page = await openPage(browser, '/period-closes')
  await makePayee()
})

// Other files of the run change terms and settings.
test.afterAll(async () => {
  const [close] = await listed(`period_close?limit=1&filter[month]=${MONTH}`)
  if (close !== undefined) await api().ask('PUT', `period_close/${close.id}/reopen`, { reason: 'the test is over' })
  await api().done('POST', 'setting', { statement_approval: 'auto' })
  await page.context().close()
})

test('a month is closed for a group after its checklist [MON-01]', async () => {
  await page.reload()
  await chooseIn(page, page.getByRole('textbox', { name: 'Group', exact: true }), MARK)
  await expect(page.getByText('1 partner would be closed')).toBeVisible()
  await expect(page.getByText('The month is over')).toBeVisible()
  await page.getByRole('button', { name: 'Close the month' }).click()
  await expect(dialogOf(page)).toContainText('Partners: 1, entries: 1, sums: 110.00')
  await dialogOf(page).getByRole('button', { name: 'Close the month' }).click()
  await expect(page.getByText('Closed for 1 partner')).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: MARK })).toContainText(SHOWN)
})

test('its preview becomes a draft, is approved and paid [MON-11] [MON-13]', async () => {
  await follow(page, `/payment-invoices/create?partner=${partner.id}&month=${MONTH}`)
  await page.getByRole('button', { name: 'Create drafts' }).click()
  await page.getByRole('link', { name: new RegExp(`#\\d+ · ${MARK}`) }).click()
  const panel = page.getByRole('dialog', { name: /^statement/i })
  await expect(panel).toContainText('Draft')
  // The setting asks for a second person: the maker may not approve, and the panel says why.
  await api().done('POST', 'setting', { statement_approval: 'always' })
  await page.reload()
  await expect(panel.getByRole('button', { name: 'Approve' })).toBeDisabled()
  await expect(panel).toContainText('Someone else must approve it')
  await api().done('POST', 'setting', { statement_approval: 'never' })
  await page.reload()
  await panel.getByRole('button', { name: 'Approve' }).click()
  const question = page.getByRole('dialog', { name: new RegExp(`^Approve: 110\\.00 EUR, ${MARK}$`) })
  await question.getByLabel('Reason, if there is one').fill('checked with finance')
  await question.getByRole('button', { name: 'Approve' }).click()
  await expect(panel.getByRole('button', { name: 'Record a payment' })).toBeVisible()
  await expect(panel).toContainText('The statement was approved: checked with finance')
  await panel.getByRole('button', { name: 'Record a payment' }).click()
  const form = page.getByRole('dialog', { name: 'Record a payment' })
  await expect(form.getByLabel('Amount, EUR')).toHaveValue('110.00')
  await expect(form.getByLabel('Method')).toHaveValue('card')
  await form.getByLabel('Amount, EUR').fill('110.01')
  await form.getByRole('button', { name: 'Confirm' }).click()
  await expect(form).toContainText('No more than 110.00 EUR is left to pay')
  await form.getByLabel('Amount, EUR').fill('50')
  await form.getByRole('button', { name: 'Confirm' }).click()
  await expect(panel.getByText('Partly paid').first()).toBeVisible()
  // On a phone its invoices and payments are cards: nothing of them is cut off.
  await page.setViewportSize({ width: 390, height: 844 })
  // With a payment, the statement cannot be voided; an invoice that was not sent becomes void alone.
  await expect(panel.getByRole('button', { name: 'Void' })).toHaveCount(1)
  for (const name of ['Void', 'Reverse']) {
    const button = panel.locator('td').getByRole('button', { name }).first()
    await button.scrollIntoViewIfNeeded()
    await expect(button).toBeInViewport({ ratio: 1 })
  }
  const cut = (parts: Element[]) => parts.filter((part) => part.scrollWidth > part.clientWidth).length
  expect(await panel.locator('section').evaluateAll(cut)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 720 })
  await panel.getByRole('button', { name: 'Record a payment' }).click()
  await form.getByRole('combobox').selectOption('bank_transfer')
  await form.getByRole('button', { name: 'Confirm' }).click()
  await expect(panel.getByText('Paid', { exact: true }).first()).toBeVisible()
  await follow(page, '/payments')
  const payment = page.getByRole('row').filter({ hasText: MARK }).filter({ hasText: 'Bank transfer' })
  await expect(payment).toHaveCount(1)
  await expect(payment).not.toContainText('bank_transfer')
  await follow(page, `/partner-ledger?partner=${partner.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(MARK)
  await expect(page.getByRole('row').filter({ hasText: SHOWN })).toContainText(/1\d\d\.\d\d/)
})

test('all columns of the ledger of a partner fit 1440 pixels, in both languages [MON-16]', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const [language, last] of [
    ['ru', 'Ожидается'],
    ['en', 'Expected'],
  ] as const) {
    await page.evaluate((chosen) => localStorage.setItem('language', JSON.stringify(chosen)), language)
    await page.reload()
    await expect(page.getByRole('columnheader', { name: last })).toBeInViewport({ ratio: 1 })
  }
  await page.setViewportSize({ width: 1280, height: 720 })
})

test('selected statements are approved and selected invoices sent, after a question [MON-13] [MON-14]', async () => {
  const other = await api().done('POST', 'partner_group', { title: `${MARK} too` })
  const more = await makePartner(`${MARK} too`, other.id)
  const [link] = await listed(`offer_partner?limit=1&filter[partner]=${more.id}`)
  const offer = await api().done('GET', `offer/${(link?.offer as Row | undefined)?.id}`)
  await api().done('PATCH', `advertiser/${(offer.advertiser as Row).id}`, { default_crm_project_id: 'project-1' })
  await api().done('POST', 'period_close', { month: MONTH, partner_group: other.id })
  const { id } = await api().done('POST', 'statement', { partner: more.id, month: MONTH })
  await follow(page, `/statements?filter[partner]=${more.id}`)
  const select = async () => {
    await expect(page.locator('a[data-row]')).toHaveCount(1)
    await page.getByRole('checkbox', { name: 'Select the rows of this page' }).check()
  }
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await select()
  await bar.getByRole('button', { name: 'Approve' }).click()
  await expect(dialogOf(page)).toContainText('Approve 1 statement?')
  await dialogOf(page).getByRole('button', { name: 'Approve' }).click()
  await expect(page.getByRole('row').filter({ hasText: SHOWN })).toContainText('Approved')
  expect(await api().done('GET', `statement/${id}`)).toMatchObject({ state: 'approved' })
  await follow(page, `/payment-invoices?filter[partner]=${more.id}`)
  await select()
  await bar.getByRole('button', { name: 'Send to the CRM' }).click()
  await expect(dialogOf(page)).toContainText('Send 1 invoice to the CRM?')
  await dialogOf(page).getByRole('button', { name: 'Send to the CRM' }).click()
  await expect(page.getByRole('row').filter({ hasText: `${MARK} too` })).toContainText(/Queued|Sent|Accepted/)
})

test('a preview folds voided statements, and shows why the CRM rejected an invoice that is void by now [MON-11] [MON-14]', async () => {
  const title = `${MARK} again`
  const group = await api().done('POST', 'partner_group', { title })
  const more = await makePartner(title, group.id)
  const [link] = await listed(`offer_partner?limit=1&filter[partner]=${more.id}`)
  const offer = await api().done('GET', `offer/${(link?.offer as Row | undefined)?.id}`)
  const advertiser = `advertiser/${(offer.advertiser as Row).id}`
  // The demo's CRM rejects what is asked for this project.
  await api().done('PATCH', advertiser, { default_crm_project_id: 'CRM-closed' })
  await api().done('POST', 'period_close', { month: MONTH, partner_group: group.id })
  const preview = `/payment-invoices/create?partner=${more.id}&month=${MONTH}`
  const documents = page.getByRole('article')
  const first = await api().done('POST', 'statement', { partner: more.id, month: MONTH })
  await api().done('PUT', `statement/${first.id}/void`, { reason: 'made too early' })
  await follow(page, preview)
  // Alone, it is not folded.
  await expect(documents.filter({ hasText: `#${first.id} ·` })).toBeVisible()
  const { id } = await api().done('POST', 'statement', { partner: more.id, month: MONTH })
  await api().done('PUT', `statement/${id}/approve`, {})
  const [invoice] = await listed(`payment_invoice?limit=1&filter[statement]=${id}`)
  await api().done('PUT', `payment_invoice/${invoice?.id}/send`, {})
  const statusOf = async () => (await api().done('GET', `payment_invoice/${invoice?.id}`)).status
  await expect.poll(statusOf, { timeout: 30_000 }).toBe('rejected')
  await api().done('PATCH', advertiser, { default_crm_project_id: 'project-1' })
  await api().done('PUT', `payment_invoice/${invoice?.id}/correct`, { reason: 'the project was closed' })
  expect(await statusOf()).toBe('void')
  await page.reload()
  const answer = documents
    .filter({ hasText: `#${id} ·` })
    .getByRole('listitem')
    .filter({ hasText: `#${invoice?.id}` })
  await expect(answer).toContainText('Void')
  await expect(answer).toContainText('The project is closed')
  await expect(documents.filter({ hasText: `#${first.id} ·` })).toBeHidden()
  await page.getByText('1 voided statement').click()
  await expect(documents.filter({ hasText: `#${first.id} ·` })).toBeVisible()
  // On a phone its table is cards: nothing is read by scrolling sideways.
  await page.setViewportSize({ width: 390, height: 844 })
  const box = page.getByRole('region', { name: 'Invoice preview' })
  await expect(box).toBeVisible()
  expect(await box.evaluate((part) => part.scrollWidth - part.clientWidth)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 720 })
})

test('a dispute shows its reason on the statement until it is resolved, and takes invoices out of the queue [MON-13]', async () => {
  const [more] = await listed(`partner?limit=1&filter[title]=${encodeURIComponent(`${MARK} too`)}`)
  const [statement] = await listed(`statement?limit=1&filter[partner]=${more?.id}`)
  await follow(page, `/statements?filter[partner]=${more?.id}&row=${statement?.id}`)
  const panel = page.getByRole('dialog', { name: /^statement/i })
  await panel.getByRole('button', { name: 'Dispute' }).click()
  const question = page.getByRole('dialog', { name: 'Dispute' })
  await question.getByRole('textbox').fill('the partner counts more players')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(panel).toContainText('Reason of the dispute: the partner counts more players')
  const resolve = { name: 'Resolve the dispute' }
  await panel.getByRole('button', resolve).click()
  const answer = page.getByRole('dialog', { name: /^Resolve the dispute/ })
  await answer.getByRole('textbox').fill('counted again together')
  await answer.getByRole('button', { name: 'Confirm' }).click()
  await expect(panel.getByText('Reason of the dispute: the partner counts more players')).toHaveCount(0)
  await expect(panel.getByRole('listitem').filter({ hasText: 'the partner counts more players' })).toHaveCount(1)
  await expect(panel.getByRole('listitem').filter({ hasText: 'counted again together' })).toHaveCount(1)
})

test('a later close of a month names the partners that it took [MON-01]', async () => {
  // A month before the demo's first, which no other file works in.
  const month = addDays(today(DEFAULT_ZONE), -610).slice(0, 7)
  const [taken] = await listed('partner?limit=1&order[id]=ASC')
  const title = String(taken?.title)
  const closes: Row[] = []
  try {
    const first = await api().done('POST', 'period_close', { month })
    closes.push(first)
    const late = { partner: taken?.id, reason: 'late figures' }
    await api().done('PUT', `period_close/${first.id}/reopen`, late)
    closes.push(await api().done('POST', 'period_close', { month }))
    await page.goto('/period-closes')
    const later = page.getByRole('row').filter({ hasText: 'All partners not closed before' })
    await expect(later.filter({ hasText: title })).toHaveCount(1)
  } finally {
    for (const { id } of closes) await api().done('PUT', `period_close/${id}/reopen`, { reason: 'the test is over' })
  }
})

test('closes and the check of a file are accessible; they and an entry of the ledger fit a phone [MON-01] [MON-15] [MON-16]', async ({
  browser,
}) => {
  const [entry] = await listed(`ledger_entry?limit=1&filter[partner]=${partner.id}`)
  const look = await openPage(browser, '/period-closes')
  await expectAccessibleLooks(look, async () => {
    await look.goto('/period-closes')
    await expect(look.getByRole('row').filter({ hasText: SHOWN }).first()).toBeVisible()
  })
  await expectAccessibleLooks(look, async () => {
    await look.goto(`/ledger-entries?row=${entry?.id}`)
    await expect(look.getByRole('dialog')).toContainText('110.00')
  })
  await expectAccessibleLooks(look, async () => {
    await look.goto('/verify')
    await expect(look.getByRole('heading', { level: 1 })).toBeVisible()
  })
  await look.context().close()
})

test('the partner sees the own statement, its lines and the ledger, and no overview [MON-13] [MON-16] [PERM-07]', async () => {
  await api().done('POST', `user/${user.id}/view_as`)
  await page.goto('/statements')
  await page.locator('a[data-row]').filter({ hasText: SHOWN }).first().click()
  const panel = page.getByRole('dialog', { name: /^statement/i })
  await panel.getByRole('button', { name: 'Agency spend' }).click()
  await expect(panel).toContainText('100.00')
  await expect(panel.getByRole('button', { name: 'Record a payment' })).toHaveCount(0)
  await page.goto('/partner-ledger')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(MARK)
  await page.goto('/finance')
  await expect(page).toHaveURL(/\/403$/)
  await api().done('DELETE', 'profile/view_as')
})
