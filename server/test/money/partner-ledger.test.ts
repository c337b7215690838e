// The ledger of a partner by months, and the overview of those who pay: figures follow the record, in one currency, within the caller's rows.
import { addDays, DEFAULT_ZONE, today } from '@tributary/contract/period'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, refused, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { PASSWORD, type SignedIn, signIn } from '../support/sign-in.ts'
import { LedgerRows } from './ledger-rows.ts'

const TODAY = today(DEFAULT_ZONE)
const monthBefore = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7)
const LAST = monthBefore(TODAY.slice(0, 7))
const EARLIER = monthBefore(LAST)

let server: Server
let admin: SignedIn
let rows: LedgerRows

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  await done(admin, 'POST', 'setting', { statement_approval: 'never' })
  rows = new LedgerRows(server, admin)
})

const ledgerOf = (partner: number, person = admin) => done(person, 'GET', `partner/${partner}/ledger`)
const overviewOf = async (partner: number) => {
  const overview = await done(admin, 'GET', 'finance_overview')
  return (overview.rows as Json[]).find((row) => (row.partner as Json).id === partner)
}

async function book(link: Json, earned: string, currency: number, amount: string, booked = earned): Promise<void> {
  const items = [{ day: `${earned}-03`, base: amount, rate: '0', amount }]
  await rows.book({ link, kind: 'agency', earned, booked, currency, items })
}

test('months sum entries, adjustments, tax and payments to the balance; a reversed payment counts no more [MON-16]', async () => {
  const { partner, links, currency } = await rows.partner(1, { vat: '20' })
  const [link] = links as [Json]
  await rows.close(partner, EARLIER)
  await book(link, EARLIER, currency, '100.00')
  await done(admin, 'POST', 'adjustment', {
    partner,
    month: EARLIER,
    amount: '-10.00',
    currency,
    kind: 'scrub',
    reason: 'fraud',
  })
  const statement = await done(admin, 'POST', 'statement', { partner, month: EARLIER })
  expect(await ledgerOf(partner)).toMatchObject({ balance: '90.0000', months: [{ tax: '0.0000', invoiced: '0.0000' }] })
  await done(admin, 'PUT', `statement/${statement.id}/approve`, {})
  expect(await ledgerOf(partner)).toMatchObject({
    balance: '108.0000',
    months: [{ month: EARLIER, earned: '100.0000', adjustments: '-10.0000', tax: '18.0000', invoiced: '108.0000' }],
  })
  const payment = await done(admin, 'POST', 'payment', {
    statement: statement.id,
    paid_at: TODAY,
    amount: '8.00',
    currency,
  })
  expect(await overviewOf(partner)).toMatchObject({
    owed: '100.0000',
    paid_this_month: '8.0000',
    ageing: { not_due: '100.0000', days_30: '0.0000' },
    due_this_week: '0.0000',
  })
  await rows.query('update statement set due_on = $2 where id = $1', [statement.id, addDays(TODAY, -45)])
  expect(await overviewOf(partner)).toMatchObject({ ageing: { days_60: '100.0000' }, due_this_week: '100.0000' })
  await done(admin, 'PUT', `statement/${statement.id}/dispute`, { reason: 'too much' })
  expect(await overviewOf(partner)).toMatchObject({
    disputed: 1,
    due_this_week: '0.0000',
    in_dispute: '100.0000',
    ageing: { not_due: '0.0000', days_60: '0.0000' },
  })
  await done(admin, 'PUT', `payment/${payment.id}/reverse`, { reason: 'bounced' })
  expect(await ledgerOf(partner)).toMatchObject({ balance: '108.0000' })
  const listed = async (reversed: 0 | 1) =>
    ((await done(admin, 'GET', `payment?filter[partner]=${partner}&filter[reversed]=${reversed}`)).items as Json[]).map(
      ({ id }) => id,
    )
  expect([await listed(0), await listed(1)]).toEqual([[], [payment.id]])
})

test('a key is converted by the rate of its earned month as a running total; a currency without a rate is named [MON-16] [MON-03]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const [link] = links as [Json]
  const dollar = (await done(admin, 'POST', 'currency', { title: unique('Dollar'), value: 'USD' })).id
  await book(link, EARLIER, dollar, '0.01')
  await book(link, EARLIER, dollar, '0.01', LAST)
  expect(await ledgerOf(partner)).toMatchObject({ balance: '0.0000', missing_rates: [{ id: dollar }] })
  await rows.query('insert into currency_rate (currency_id, date, rate) values ($1, $3, 0.5), ($2, $3, 1)', [
    dollar,
    currency,
    `${EARLIER}-01`,
  ])
  // 0.01 is 0.005, rounded to 0.01; both together are 0.01.
  expect(await ledgerOf(partner)).toMatchObject({
    balance: '0.0100',
    months: [{ earned: '0.0100' }, { earned: '0.0000' }],
    missing_rates: [],
  })
  // The entries that a figure opens sum to it, in its currency.
  const openedBy = async (month: string) => {
    const { items } = await done(admin, 'GET', `ledger_entry?filter[partner]=${partner}&filter[booked_month]=${month}`)
    return (items as Json[]).map(({ fx_rate, converted }) => [fx_rate, String(converted).split(' ')[0]])
  }
  expect([await openedBy(EARLIER), await openedBy(LAST)]).toEqual([[['0.5', '0.01']], [['0.5', '0.00']]])
})

test('what no rate converts is owed in its own currency, and a currency that nothing needs is not named [MON-16] [MON-03]', async () => {
  const { partner, currency } = await rows.partner(1)
  await rows.query('update setting set report_currency_id = $1', [currency])
  onTestFinished(async () => void (await rows.query('update setting set report_currency_id = null')))
  const unrated = (await done(admin, 'POST', 'currency', { title: unique('Unrated'), value: 'XTS' })).id
  const bill = (to: number) =>
    done(admin, 'PUT', `partner/${partner}/billing`, { currency: to, current_password: PASSWORD })
  const countUnrated = async (): Promise<number> => {
    const { items } = await done(admin, 'GET', `period_close/checklist?month=${LAST}`)
    return Number((items as Json[]).find(({ code }) => code === 'billing_rate_missing')?.count)
  }
  await rows.close(partner, EARLIER)
  await bill(unrated)
  const bonus = { partner, month: LAST, amount: '10.00', currency, kind: 'bonus', reason: 'agreed' }
  await done(admin, 'POST', 'adjustment', bonus)
  const inEuro = [{ currency: { id: currency }, amount: '10.0000' }]
  expect(await overviewOf(partner)).toMatchObject({
    owed: '0.0000',
    currency: { id: unrated },
    owed_unrated: inEuro,
    owed_total: '10.0000',
  })
  expect(await ledgerOf(partner)).toMatchObject({
    balance: '0.0000',
    unrated: inEuro,
    missing_rates: [{ id: unrated }],
  })
  const blocked = await countUnrated()
  await bill(currency)
  expect(await countUnrated()).toBe(blocked - 1)
  expect(await ledgerOf(partner)).toMatchObject({ balance: '10.0000', unrated: [], missing_rates: [] })
  // A balance that was carried without a rate.
  const { partner: other, links: otherLinks, currency: own } = await rows.partner(1)
  await rows.close(other, EARLIER)
  await book(otherLinks[0] as Json, EARLIER, own, '7.00')
  const statement = await done(admin, 'POST', 'statement', { partner: other, month: EARLIER })
  await done(admin, 'PUT', `statement/${statement.id}/approve`, {})
  await done(admin, 'PUT', `partner/${other}/billing`, { currency: unrated, current_password: PASSWORD })
  await done(admin, 'POST', 'adjustment', { ...bonus, partner: other, amount: '1.00', currency: unrated })
  await done(admin, 'POST', 'payment', { statement: statement.id, paid_at: TODAY, amount: '2.00', currency: own })
  expect(await overviewOf(other)).toMatchObject({
    owed: '1.0000',
    owed_unrated: [{ currency: { id: own }, amount: '5.0000' }],
  })
  // Nothing was owed before the currency changed.
  const { partner: third, currency: third_currency } = await rows.partner(1, { currency: unrated })
  await rows.close(third, EARLIER)
  await done(admin, 'PUT', `partner/${third}/billing`, { currency: third_currency, current_password: PASSWORD })
  await done(admin, 'POST', 'adjustment', { ...bonus, partner: third, currency: third_currency })
  expect(await ledgerOf(third)).toMatchObject({ balance: '10.0000', missing_rates: [], unrated: [] })
})

test('a new billing currency leaves closed months as they are; what is open is carried over into it [MON-16] [MON-11]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const [link] = links as [Json]
  const dollar = (await done(admin, 'POST', 'currency', { title: unique('Dollar'), value: 'USB' })).id
  for (const [date, rate] of [
    [addDays(`${EARLIER}-01`, -1), '0.4'],
    [addDays(`${LAST}-01`, -1), '0.5'],
    [addDays(`${TODAY.slice(0, 7)}-01`, -1), '0.8'],
  ])
    await rows.query(
      'insert into currency_rate (currency_id, date, rate) values ($1, $3, $4), ($2, $3, 1) on conflict do nothing',
      [dollar, currency, date, rate],
    )
  await rows.close(partner, EARLIER)
  await book(link, EARLIER, currency, '100.00')
  const first = await done(admin, 'POST', 'statement', { partner, month: EARLIER })
  await done(admin, 'PUT', `statement/${first.id}/approve`, {})
  await done(admin, 'PUT', `partner/${partner}/billing`, { currency: dollar, current_password: PASSWORD })
  await rows.close(partner, LAST)
  await book(link, EARLIER, currency, '10.00', LAST)
  const second = await done(admin, 'POST', 'statement', { partner, month: LAST })
  expect(await done(admin, 'GET', `statement/${first.id}`)).toMatchObject({
    total: '100.0000',
    currency: { id: currency },
  })
  expect(second).toMatchObject({ total: '20.0000', currency: { id: dollar } })
  const pay = { statement: first.id, paid_at: TODAY, amount: '40.00', currency }
  await done(admin, 'POST', 'payment', pay)
  const ledger = await ledgerOf(partner)
  expect(ledger).toMatchObject({ currency: { id: dollar }, balance: '140.0000' })
  const shown = (ledger.months as Json[]).map((month) => {
    const { opening, earned, invoiced, paid, balance } = month
    const code = (month.currency as Json).id === dollar ? 'USD' : 'EUR'
    return [month.month, code, ...[opening, earned, invoiced, paid, balance].map(Number)]
  })
  expect(shown).toEqual([
    [EARLIER, 'EUR', 0, 100, 100, 0, 100],
    [LAST, 'USD', 200, 20, 0, 0, 220],
    [TODAY.slice(0, 7), 'USD', 220, 0, 0, 80, 140],
  ])
  expect(await overviewOf(partner)).toMatchObject({
    owed: '140.0000',
    currency: { id: dollar },
    paid_this_month: '80.0000',
  })
})

test('a new billing currency converts nothing before its first money, and the total is that of the statement [MON-16] [MON-03]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const [link] = links as [Json]
  await rows.query('update setting set report_currency_id = $1', [currency])
  onTestFinished(async () => void (await rows.query('update setting set report_currency_id = null')))
  const dollar = (await done(admin, 'POST', 'currency', { title: unique('Dollar'), value: 'USC' })).id
  for (const [date, rate] of [
    [`${LAST}-20`, '0.92'],
    [TODAY, '0.9143'],
  ])
    await rows.query('insert into currency_rate (currency_id, date, rate) values ($1, $2, $3)', [dollar, date, rate])
  await rows.close(partner, LAST)
  await book(link, LAST, currency, '120.02')
  const statement = await done(admin, 'POST', 'statement', { partner, month: LAST })
  await done(admin, 'PUT', `statement/${statement.id}/approve`, {})
  await done(admin, 'PUT', `partner/${partner}/billing`, { currency: dollar, current_password: PASSWORD })
  const inEuro = { owed: '120.0200', owed_total: '120.0200', ageing: { not_due: '120.0200' } }
  expect(await overviewOf(partner)).toMatchObject({ ...inEuro, currency: { id: currency } })
  expect(await ledgerOf(partner)).toMatchObject({ balance: '120.0200', currency: { id: currency } })
  const pay = { statement: statement.id, paid_at: TODAY, currency }
  const { id: payment } = await done(admin, 'POST', 'payment', { ...pay, amount: '20.01' })
  expect((await ledgerOf(partner)).months).toMatchObject([
    { month: LAST, balance: '120.0200', currency: { id: currency } },
    { paid: '20.0100', balance: '100.0100', currency: { id: currency } },
  ])
  await done(admin, 'PUT', `payment/${payment}/reverse`, { reason: 'bounced' })
  const bonus = {
    partner,
    month: TODAY.slice(0, 7),
    amount: '10.00',
    currency: dollar,
    kind: 'bonus',
    reason: 'agreed',
  }
  await done(admin, 'POST', 'adjustment', bonus)
  // 120.02 / 0.92 = 130.4565; in the total, 120.02 and 10.00 × 0.9143.
  const inDollars = { owed: '140.4600', ageing: { not_due: '130.4600' }, owed_total: '129.1600' }
  expect(await overviewOf(partner)).toMatchObject({ ...inDollars, currency: { id: dollar } })
  expect(await ledgerOf(partner)).toMatchObject({ balance: '140.4600', currency: { id: dollar } })
  const half = { ...pay, amount: '60.01', reference: 'WIRE-1' }
  await done(admin, 'POST', 'payment', half)
  expect(await refused(admin, 'POST', 'payment', half)).toHaveProperty('reference')
  await done(admin, 'POST', 'payment', { ...half, reference: 'WIRE-2' })
  expect(await overviewOf(partner)).toMatchObject({ owed: '10.0000', owed_total: '9.1400' })
})

test('after a change of currency the total converts what is on hold and was paid once, from its own currency [MON-16] [MON-13]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const [link] = links as [Json]
  await rows.query('update setting set report_currency_id = $1', [currency])
  onTestFinished(async () => void (await rows.query('update setting set report_currency_id = null')))
  const dollar = (await done(admin, 'POST', 'currency', { title: unique('Dollar'), value: 'USE' })).id
  for (const [date, rate] of [
    [`${EARLIER}-01`, '0.4'],
    [`${LAST}-20`, '0.5'],
    [TODAY, '0.8'],
  ])
    await rows.query('insert into currency_rate (currency_id, date, rate) values ($1, $2, $3)', [dollar, date, rate])
  const totalOf = async (): Promise<number[]> => {
    const total = (await done(admin, 'GET', 'finance_overview')).total as Json
    return [total.on_hold, total.paid_this_month].map(Number)
  }
  const [heldBefore = 0, paidBefore = 0] = await totalOf()
  await rows.close(partner, EARLIER)
  await book(link, EARLIER, currency, '100.00')
  const [player] = await rows.players(link, 1)
  const items = [{ player, day: TODAY, base: '30', amount: '30.00' }]
  await rows.book({ link, kind: 'cpa', earned: EARLIER, currency, items })
  const statement = await done(admin, 'POST', 'statement', { partner, month: EARLIER })
  await done(admin, 'PUT', `statement/${statement.id}/approve`, {})
  await done(admin, 'PUT', `partner/${partner}/billing`, { currency: dollar, current_password: PASSWORD })
  await book(link, LAST, dollar, '1.00')
  await done(admin, 'POST', 'payment', { statement: statement.id, paid_at: TODAY, amount: '40.00', currency })
  // 30 at the rate of the earned month; 40 at the rate before the new currency.
  expect(await overviewOf(partner)).toMatchObject({
    currency: { id: dollar },
    on_hold: '75.0000',
    paid_this_month: '100.0000',
  })
  const [held = 0, paid = 0] = await totalOf()
  expect([held - heldBefore, paid - paidBefore]).toEqual([30, 40])
})

test('a partner reads the own ledger, its entries and adjustments alone, and no overview; staff without the key neither [MON-16] [PERM-07]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const { partner: stranger } = await rows.partner(1)
  await book(links[0] as Json, LAST, currency, '5.00')
  const adjustment = { partner, month: LAST, amount: '-1.00', currency, kind: 'fee', note: 'For tests', reason: 'No' }
  await done(admin, 'POST', 'adjustment', adjustment)
  await done(admin, 'POST', 'adjustment', { ...adjustment, partner: stranger })
  const person = await signIn(server, 'PARTNER', partner)
  const [entry, ...others] = (await done(person, 'GET', 'ledger_entry')).items as Json[]
  expect(others).toEqual([])
  expect(entry).toMatchObject({ partner: { id: partner }, amount: '5.0000' })
  expect(Object.keys(entry ?? {})).not.toContain('advertiser')
  const [item, ...more] = (await done(person, 'GET', `ledger_item?filter[ledger_entry]=${entry?.id}`)).items as Json[]
  expect(more).toEqual([])
  expect(item).toMatchObject({ amount: '5.0000' })
  // The income behind a share is read on approved statements only.
  for (const secret of ['base', 'rate']) expect(Object.keys(item ?? {})).not.toContain(secret)
  expect((await ask(person, 'GET', 'ledger_item?filter[base][gt]=1')).status).toBe(422)
  const adjustments = (await done(person, 'GET', 'adjustment')).items as Json[]
  expect(adjustments).toMatchObject([{ note: 'For tests', amount: '-1.0000' }])
  expect(Object.keys(adjustments[0] ?? {})).not.toContain('reason')
  expect(await ledgerOf(partner, person)).toMatchObject({ balance: '4.0000' })
  expect((await ask(person, 'GET', `partner/${stranger}/ledger`)).status).toBe(404)
  expect((await ask(person, 'GET', 'finance_overview')).status).toBe(403)
  const manager = await signIn(server, 'MANAGER')
  await rows.query(`update "user" set permissions = '{}' where id = $1`, [manager.id])
  expect((await ask(manager, 'GET', `partner/${partner}/ledger`)).status).toBe(403)
  await rows.query('update "user" set permissions = $2 where id = $1', [manager.id, ['payment_invoice_view']])
  expect((await ask(manager, 'GET', `partner/${partner}/ledger`)).status).toBe(404)
  expect((await done(manager, 'GET', 'finance_overview')).rows).toEqual([])
})
