// Months that are not as one expects: what blocks a close, currencies that change, zero totals, huge amounts, offers that are gone, streams that move.

import { addDays, DEFAULT_ZONE, lastDayOf, today } from '@tributary/contract/period'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, makeSpendGround, unique } from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { PASSWORD, type SignedIn, signIn } from '../support/sign-in.ts'
import { LedgerRows } from './ledger-rows.ts'

const THIS_MONTH = today(DEFAULT_ZONE).slice(0, 7)
const LAST_MONTH = addDays(`${THIS_MONTH}-01`, -1).slice(0, 7)

let server: Server
let admin: SignedIn
let rows: LedgerRows

beforeAll(async () => {
  server = await startTestApp({ modules: MODULES })
  admin = await signIn(server, 'ADMIN')
  await done(admin, 'POST', 'setting', { statement_approval: 'never' })
  rows = new LedgerRows(server, admin)
})

/** Returns an admin signed in on that day; the clock of the process stands still until the test ends. */
async function on(day: string): Promise<SignedIn> {
  vi.setSystemTime(new Date(`${day}T09:00:15Z`))
  onTestFinished(() => void vi.useRealTimers())
  return signIn(server, 'ADMIN')
}

const book = (link: Json, earned: string, currency: number, amount: string) =>
  rows.book({
    link,
    kind: 'agency',
    earned,
    currency,
    items: [{ day: `${earned}-03`, base: amount, rate: '0', amount }],
  })

const linesOf = (statement: Json) =>
  (statement.lines as Json[]).map(({ kind, total }) => `${String(kind)} ${String(total)}`)

test('a month that is not over, an open claim and a missing rate block a close by name, and nothing of it is written [MON-01]', async () => {
  const { net, spend } = await makeSpendGround(admin, [`${LAST_MONTH}-05`])
  const partner = net.partner.id
  const group = (await done(admin, 'POST', 'partner_group', { title: unique('Closing') })).id
  await done(admin, 'POST', 'partner_partner_group', { partner, partner_group: group })
  const close = (month: string) => ask(admin, 'POST', 'period_close', { month, partner_group: group })
  const expectBlocked = async (month: string, code: string): Promise<void> => {
    const { items } = await done(admin, 'GET', `period_close/checklist?month=${month}&partner_group=${group}`)
    expect((items as Json[]).filter(({ blocks, count }) => blocks === true && Number(count) > 0)).toMatchObject([
      { code, count: 1 },
    ])
    const { status, body } = await close(month)
    expect([status, Object.keys(body.formErrors as object)]).toEqual([409, ['month']])
    expect((await rows.query('select from period_close_partner where partner_id = $1', [partner])).rowCount).toBe(0)
  }
  await expectBlocked(THIS_MONTH, 'month_not_over')
  const claim = await rows.query(
    'insert into partner_spend (stream_id, country_id, date, currency_id, claim_sum) values ($1, $2, $3, $4, 7) returning id',
    [spend.stream, spend.country, `${LAST_MONTH}-05`, spend.currency],
  )
  await expectBlocked(LAST_MONTH, 'claims_open')
  await rows.query('delete from partner_spend where id = $1', [claim.rows[0].id])
  const { clickhouse } = server.services
  const columns = ['spend_id', 'version', 'day', 'offer_id', 'partner_id', 'rate_missing']
  const fact = (version: number, isMissing: 0 | 1) => [9_000_001, version, `${LAST_MONTH}-05`, 1, partner, isMissing]
  await clickhouse.insert('spend_fact', columns, [fact(1, 1)])
  await expectBlocked(LAST_MONTH, 'rate_missing')
  await clickhouse.insert('spend_fact', columns, [fact(2, 0)])
  expect((await close(LAST_MONTH)).status).toBe(201)
  expect((await close(LAST_MONTH)).status).toBe(409)
  // Warnings hold for a closed month, too.
  const player = [
    'player_id',
    'version',
    'registered_at',
    'qualified_day',
    'partner_id',
    'cpa_spend',
    'payment_resolution',
  ]
  await clickhouse.insert('player_fact', player, [
    [9_000_001, 1, `${LAST_MONTH}-05 10:00:00.000`, `${LAST_MONTH}-05`, partner, '50', 'none'],
  ])
  const closed = await done(admin, 'GET', `period_close/checklist?month=${LAST_MONTH}&partner_group=${group}`)
  const found = (closed.items as Json[]).filter(({ count }) => Number(count) > 0)
  expect(closed.partners).toBe(0)
  expect(found.map(({ code, count }) => [code, count])).toEqual(
    expect.arrayContaining([
      ['players_unresolved', 1],
      ['spend_unallocated', 1],
    ]),
  )
})

test('a reopened month is previewed with what a close would book beside what is booked, as the ledger expects it [MON-11] [MON-01]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const [link] = links as [Json]
  await rows.close(partner, LAST_MONTH)
  const entry = await book(link, LAST_MONTH, currency, '40.00')
  await rows.query('update period_close_partner set reopened_at = now() where partner_id = $1', [partner])
  const { rows: keys } = await rows.query(
    'select stream_id, traffic_source_id, country_id, advertiser_id from ledger_entry where id = $1',
    [entry],
  )
  const fact = {
    ...keys[0],
    spend_id: 9_000_002,
    version: 1,
    day: `${LAST_MONTH}-03`,
    offer_partner_id: link.id,
    offer_id: (link.offer as Json).id,
    partner_id: partner,
    currency_id: currency,
    is_agency: 1,
    agency_rate: '10',
    base_original: '100',
    sum_original: '110',
  }
  await server.services.clickhouse.insert('spend_fact', Object.keys(fact), [Object.values(fact)])
  const filter = { date_from: `${LAST_MONTH}-01`, date_to: lastDayOf(LAST_MONTH), partners: [partner] }
  const preview = await done(admin, 'POST', 'payment_invoice/preview', { filter })
  expect(preview.rows).toMatchObject([{ payable: '110.0000', provisional: true }])
  expect(preview.total).toMatchObject([{ amount: '110.0000', provisional: true }])
  const { months } = await done(admin, 'GET', `partner/${partner}/ledger`)
  expect((months as Json[])[0]).toMatchObject({ month: LAST_MONTH, earned: '40.0000', expected: '70.0000' })
})

test('a new currency of a partner holds from the first month that is not closed; closed months keep theirs [MON-03] [MON-11]', async () => {
  const { partner, links, currency: euro } = await rows.partner(1)
  const [link] = links as [Json]
  const dollar = (await done(admin, 'POST', 'currency', { title: unique('Dollar'), value: 'USD' })).id
  await rows.query(
    `insert into currency_rate (currency_id, date, rate) values ($1, '2026-01-31', 0.5), ($2, '2026-01-01', 1)`,
    [dollar, euro],
  )
  await rows.close(partner, '2026-01')
  await book(link, '2026-01', euro, '10.00')
  await done(admin, 'PUT', `partner/${partner}/billing`, { currency: dollar, current_password: PASSWORD })
  const february = await on('2026-02-05')
  const first = await done(february, 'POST', 'statement', { partner, month: '2026-01' })
  expect(first).toMatchObject({ currency: { id: euro }, total: '10.0000' })
  await rows.close(partner, '2026-02')
  await book(link, '2026-02', euro, '10.00')
  const march = await on('2026-03-05')
  const second = await done(march, 'POST', 'statement', { partner, month: '2026-02' })
  expect(second).toMatchObject({ currency: { id: dollar }, total: '20.0000' })
})

test('a statement that sums to zero is made and approved, and its invoices are not sent [MON-13]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  await rows.close(partner, '2026-01')
  await book(links[0] as Json, '2026-01', currency, '10.00')
  const adjustment = { partner, month: '2026-01', amount: '-10.00', currency, kind: 'scrub', reason: 'fraud' }
  await done(admin, 'POST', 'adjustment', { ...adjustment, offer_partner: links[0]?.id })
  const statement = await done(admin, 'POST', 'statement', { partner, month: '2026-01' })
  expect(statement).toMatchObject({ total: '0.0000' })
  const approved = await done(admin, 'PUT', `statement/${statement.id}/approve`, {})
  for (const { id } of approved.invoices as Json[])
    expect((await ask(admin, 'PUT', `payment_invoice/${id}/send`, {})).status).toBe(409)
  expect(await done(admin, 'GET', `partner/${partner}/ledger`)).toMatchObject({ balance: '0.0000' })
})

test('amounts of 10^13 stay exact from the ledger to the payment [MON-11] [MON-16]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  await rows.close(partner, '2026-01')
  await book(links[0] as Json, '2026-01', currency, '9999999999999.99')
  await book(links[0] as Json, '2026-01', currency, '0.02')
  const huge = '10000000000000.0100'
  const filter = { date_from: '2026-01-01', date_to: '2026-01-31', partners: [partner] }
  expect((await done(admin, 'POST', 'payment_invoice/preview', { filter })).total).toMatchObject([{ amount: huge }])
  const { id } = await done(admin, 'POST', 'statement', { partner, month: '2026-01' })
  expect(await done(admin, 'PUT', `statement/${id}/approve`, {})).toMatchObject({
    total: huge,
    invoices: [{ amount: huge }],
  })
  const payment = { statement: id, paid_at: today(DEFAULT_ZONE), currency }
  expect((await ask(admin, 'POST', 'payment', { ...payment, amount: '10000000000000.02' })).status).toBe(422)
  await done(admin, 'POST', 'payment', { ...payment, amount: '10000000000000.01' })
  expect(await done(admin, 'GET', `statement/${id}`)).toMatchObject({ state: 'paid', paid: huge })
  expect(await done(admin, 'GET', `partner/${partner}/ledger`)).toMatchObject({ balance: '0.0000' })
})

test('an offer with closed money is not deleted; deactivated, it is stated and shown as before [MON-03] [MON-11]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const [link] = links as [Json]
  await rows.close(partner, '2026-01')
  await book(link, '2026-01', currency, '10.00')
  const offer = (link.offer as Json).id
  for (const path of [`offer_partner/${link.id}`, `offer/${offer}`]) {
    expect(await ask(admin, 'DELETE', path)).toMatchObject({ status: 409, body: { code: 'in_use' } })
    await done(admin, 'PATCH', path, { active: false })
  }
  const statement = await done(admin, 'POST', 'statement', { partner, month: '2026-01' })
  expect(linesOf(statement)).toEqual(['agency 10.0000'])
  await done(admin, 'PUT', `statement/${statement.id}/approve`, {})
  expect((await admin.call('GET', `statement/${statement.id}/xlsx`)).status).toBe(200)
  expect(await done(admin, 'GET', `partner/${partner}/ledger`)).toMatchObject({ balance: '10.0000' })
})

test('a stream stays with its partner, so that closed money does not move to another [MON-03]', async () => {
  const [one, other] = [await rows.partner(1), await rows.partner(1)]
  const [link] = one.links as [Json]
  const stream = (link.stream as Json).id
  const reply = await ask(admin, 'PATCH', `partner_stream/${stream}`, { partner: other.partner })
  expect(reply.status).toBeGreaterThan(399)
  const { rows: kept } = await rows.query('select partner_id from partner_stream where id = $1', [stream])
  expect(kept).toEqual([{ partner_id: one.partner }])
})
