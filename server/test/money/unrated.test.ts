// Amounts that no rate converts: they stand beside each figure in their own currency, and are not counted as nothing.
import { addDays, DEFAULT_ZONE, lastDayOf, monthBefore, today } from '@tributary/contract/period'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { waitForFacts } from '../../src/facts/catch-up.ts'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, register, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { PASSWORD, type SignedIn, signIn } from '../support/sign-in.ts'
import { LedgerRows } from './ledger-rows.ts'

const TODAY = today(DEFAULT_ZONE)
const LAST = monthBefore(TODAY.slice(0, 7))
const EARLIER = monthBefore(LAST)

let server: Server
let admin: SignedIn
let rows: LedgerRows
let unrated: number

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  await done(admin, 'POST', 'setting', { statement_approval: 'never' })
  rows = new LedgerRows(server, admin)
  unrated = (await done(admin, 'POST', 'currency', { title: unique('Unrated'), value: 'XTS' })).id
})

/** The report currency is the partner's, so that only the other one lacks a rate. */
async function reportIn(currency: number): Promise<void> {
  await rows.query('update setting set report_currency_id = $1', [currency])
  onTestFinished(async () => void (await rows.query('update setting set report_currency_id = null')))
}

const overview = async (partner: number) => {
  const { rows: all, total, missing_rates } = await done(admin, 'GET', 'finance_overview')
  return { row: (all as Json[]).find((row) => (row.partner as Json).id === partner), total, missing_rates }
}

const preview = (partner: number, month: string, more: object = {}) => {
  const filter = { date_from: `${month}-01`, date_to: lastDayOf(month), partners: [partner] }
  return done(admin, 'POST', 'payment_invoice/preview', { filter, ...more })
}

const inUnrated = (amount: string) => [{ currency: { id: unrated, value: 'XTS' }, amount }]

test('what is on hold or not resolved without a rate is shown in its own currency, everywhere alike [MON-16] [MON-13]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const [link] = links as [Json]
  await reportIn(currency)
  await rows.close(partner, LAST)
  const [held] = await rows.players(link, 1)
  const [open] = await rows.players(link, 1, null)
  const [euro] = await rows.players(link, 1)
  const cpa = { link, kind: 'cpa', earned: LAST } as const
  await rows.book({
    ...cpa,
    currency: unrated,
    items: [
      { player: held, day: TODAY, base: '30', amount: '30.00' },
      { player: open, day: addDays(TODAY, -20), base: '7', amount: '7.00' },
    ],
  })
  await rows.book({ ...cpa, currency, items: [{ player: euro, day: TODAY, base: '2', amount: '2.00' }] })
  const waiting = {
    on_hold: '2.0000',
    on_hold_unrated: inUnrated('30.0000'),
    not_resolved: '0.0000',
    not_resolved_unrated: inUnrated('7.0000'),
  }
  expect(await overview(partner)).toMatchObject({
    row: { ...waiting, owed_unrated: inUnrated('37.0000') },
    total: { ...waiting, owed_unrated: inUnrated('37.0000') },
    missing_rates: [{ id: unrated }],
  })
  const ledger = await done(admin, 'GET', `partner/${partner}/ledger`)
  expect(ledger.months).toMatchObject([
    { month: LAST, ...waiting, earned: '2.0000', earned_unrated: inUnrated('37.0000') },
  ])
  expect((ledger.months as Json[])[0]).toMatchObject({ opening_unrated: [], balance_unrated: inUnrated('37.0000') })
  expect((await preview(partner, LAST)).rows).toMatchObject([waiting])
  await rows.query('insert into currency_rate (currency_id, date, rate) values ($1, $2, 0.5)', [unrated, `${LAST}-01`])
  onTestFinished(async () => void (await rows.query('delete from currency_rate where currency_id = $1', [unrated])))
  const rated = { on_hold: '17.0000', on_hold_unrated: [], not_resolved: '3.5000', not_resolved_unrated: [] }
  expect(await overview(partner)).toMatchObject({ row: rated, total: rated, missing_rates: [] })
  expect((await preview(partner, LAST)).rows).toMatchObject([rated])
})

test('what a close would add without a rate is expected in its own currency, and its currency is named [MON-16]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const [link] = links as [Json]
  await reportIn(currency)
  // The month is open, and nothing of this is owed: a close would take it back.
  const items = [{ day: `${LAST}-03`, base: '9', rate: '0', amount: '9.00' }]
  await rows.book({ link, kind: 'agency', earned: LAST, currency: unrated, items })
  const { months, missing_rates } = await done(admin, 'GET', `partner/${partner}/ledger`)
  expect(months).toMatchObject([{ month: LAST, expected: '0.0000', expected_unrated: inUnrated('-9.0000') }])
  expect(missing_rates).toMatchObject([{ id: unrated }])
})

test('a preview shows what is payable without a rate in its own currency, and no rate and no total of it [MON-11]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const [link] = links as [Json]
  await reportIn(currency)
  await rows.close(partner, LAST)
  const book = (of: number, amount: string) =>
    rows.book({
      link,
      kind: 'agency',
      earned: LAST,
      currency: of,
      items: [{ day: `${LAST}-03`, base: amount, rate: '0', amount }],
    })
  await book(unrated, '9.00')
  await book(currency, '4.00')
  const shown = await preview(partner, LAST)
  expect(shown.rows).toMatchObject([{ payable: '4.0000', payable_unrated: inUnrated('9.0000') }])
  expect(shown.total).toMatchObject([{ amount: '4.0000', unrated: inUnrated('9.0000') }])
  expect(shown.blockers).toMatchObject([{ code: 'rate_missing', blocks: 'create' }])
  const [row] = shown.rows as [Json]
  expect((row.entries as Json[]).map(({ amount, fx_rate, total }) => [amount, fx_rate, total])).toEqual(
    expect.arrayContaining([
      ['9.0000', null, null],
      ['4.0000', '1.00000000', '4.0000'],
    ]),
  )
})

test('what is due, disputed or paid without a rate is shown in its own currency, in the row and in the total [MON-16]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const [link] = links as [Json]
  await rows.close(partner, EARLIER)
  const items = [{ day: `${EARLIER}-03`, base: '70', rate: '0', amount: '70.00' }]
  await rows.book({ link, kind: 'agency', earned: EARLIER, currency, items })
  const statement = await done(admin, 'POST', 'statement', { partner, month: EARLIER })
  await done(admin, 'PUT', `statement/${statement.id}/approve`, {})
  await done(admin, 'POST', 'payment', { statement: statement.id, paid_at: TODAY, amount: '20.00', currency })
  await rows.query('update statement set due_on = $2 where id = $1', [statement.id, addDays(TODAY, -45)])
  await done(admin, 'PUT', `partner/${partner}/billing`, { currency: unrated, current_password: PASSWORD })
  const bonus = { partner, month: LAST, amount: '1.00', currency: unrated, kind: 'bonus', reason: 'agreed' }
  await done(admin, 'POST', 'adjustment', bonus)
  const inOwn = [{ currency: { id: currency }, amount: '50.0000' }]
  expect((await overview(partner)).row).toMatchObject({
    due_this_week: '0.0000',
    due_this_week_unrated: inOwn,
    paid_this_month: '0.0000',
    paid_this_month_unrated: [{ currency: { id: currency }, amount: '20.0000' }],
    ageing_unrated: { not_due: [], days_60: inOwn },
  })
  await reportIn(unrated)
  expect((await overview(partner)).total).toMatchObject({
    due_this_week_unrated: expect.arrayContaining([expect.objectContaining({ amount: '50.0000' })]),
    ageing_unrated: { days_60: expect.arrayContaining([expect.objectContaining({ amount: '50.0000' })]) },
  })
  await done(admin, 'PUT', `statement/${statement.id}/dispute`, { reason: 'too much' })
  expect((await overview(partner)).row).toMatchObject({ in_dispute: '0.0000', in_dispute_unrated: inOwn })
})

test('the checklist of a close names the currencies without a rate and their first days, and opens them [MON-01]', async () => {
  const { net, partner, links, currency } = await rows.partner(1)
  await reportIn(currency)
  const { id: player } = await register(admin, net, links[0] as Json, `${EARLIER}-02`)
  for (const on of [9, 4])
    await done(admin, 'POST', 'player_report', {
      player,
      report_date: `${EARLIER}-0${on}`,
      income: '5',
      currency: unrated,
    })
  expect(await waitForFacts(server.services, 15_000)).toBe(true)
  const group = (await done(admin, 'POST', 'partner_group', { title: unique('Closing') })).id
  await done(admin, 'POST', 'partner_partner_group', { partner, partner_group: group })
  const { items, missing_rates } = await done(
    admin,
    'GET',
    `period_close/checklist?month=${EARLIER}&partner_group=${group}`,
  )
  expect(missing_rates).toEqual([{ currency: expect.objectContaining({ id: unrated }), since: `${EARLIER}-04` }])
  const check = (items as Json[]).find(({ code }) => code === 'rate_missing')
  expect(check).toMatchObject({ count: 2, link: expect.stringContaining(String(unrated)) })
  const { status, body } = await ask(admin, 'POST', 'period_close', { month: EARLIER, partner_group: group })
  expect([status, JSON.stringify(body)]).toEqual([
    409,
    expect.stringMatching(/A currency rate is missing from this day on: \S+ 04\./),
  ])
})
