// Months that are not as one expects: what blocks a close, currencies that change, zero totals, huge amounts, offers that are gone, streams that move.

import { addDays, DEFAULT_ZONE, lastDayOf, today } from '@tributary/contract/period'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { MODULES } from '../../src/modules.ts'
import { readDocument } from '../../src/money/read-document.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, type Json, makeSpendGround, nextCode, type SpendGround, unique } from '../support/entity-calls.ts'
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
    'insert into partner_spend (stream_id, country_id, date, currency_id, claim_sum, claim_currency_id) values ($1, $2, $3, $4, 7, $4) returning id',
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
  // The partner is billed in a currency that has no rate yet.
  const { rows: currencies } = await rows.query('insert into currency (title, value) values ($1, $1) returning id', [
    unique('C').slice(0, 8),
  ])
  await rows.query("insert into partner_billing_currency (partner_id, month, currency_id) values ($1, '0001-01', $2)", [
    partner,
    currencies[0].id,
  ])
  await clickhouse.insert('spend_fact', [...columns, 'is_agency'], [[...fact(3, 0), 1]])
  await expectBlocked(LAST_MONTH, 'billing_rate_missing')
  await rows.query('delete from partner_billing_currency where partner_id = $1', [partner])
  await clickhouse.insert('spend_fact', [...columns, 'is_agency'], [[...fact(4, 0), 0]])
  expect((await close(LAST_MONTH)).status).toBe(201)
  expect((await close(LAST_MONTH)).status).toBe(409)
  // Warnings hold for a closed month, too.
  const land = await done(admin, 'POST', 'country', {
    title: 'Liechtenstein',
    code: nextCode(),
    currency: spend.currency,
  })
  await rows.query(
    'insert into partner_spend (stream_id, country_id, date, currency_id, sum) values ($1, $2, $3, $4, 7)',
    [spend.stream, land.id, `${LAST_MONTH}-05`, spend.currency],
  )
  const closed = await done(admin, 'GET', `period_close/checklist?month=${LAST_MONTH}&partner_group=${group}`)
  const found = (closed.items as Json[]).filter(({ count }) => Number(count) > 0)
  expect(closed.partners).toBe(0)
  expect(found.map(({ code, count }) => [code, count])).toEqual(expect.arrayContaining([['spend_unallocated', 1]]))
  // No row of the record stands behind this fact.
  await clickhouse.insert('spend_fact', [...columns, 'is_deleted'], [[...fact(5, 0), 1]])
})

const LISTS: Readonly<Record<string, string>> = {
  '/players': 'player',
  '/partners': 'partner',
  '/partners-spends': 'partner_spend',
}

/** The number of rows that the screen of the address lists. */
async function listedAt(address: string): Promise<number> {
  const [path = '', query = ''] = address.split('?')
  if (query.startsWith('view=table')) {
    const { partner, group, month } = Object.fromEntries(new URLSearchParams(query))
    const whose = partner === undefined ? (group === undefined ? '' : `&partner_group=${group}`) : `&partner=${partner}`
    return Number((await done(admin, 'GET', `partner_spend/missing?month=${month}${whose}`)).days)
  }
  const { pagination } = await done(admin, 'GET', `${LISTS[path]}?${query}`)
  return Number((pagination as Json).total)
}

test('each link of the checklist opens exactly the rows that it counts [MON-01]', async () => {
  const within = (day: string) => `${LAST_MONTH}-${day}`
  const group = (await done(admin, 'POST', 'partner_group', { title: unique('Counting') })).id
  const agencies = [
    await makeSpendGround(admin, [within('05'), within('06')]),
    await makeSpendGround(admin, [within('05')]),
    await makeSpendGround(admin, [within('05')]),
  ]
  const cpa = await rows.partner(1)
  const members = [...agencies.slice(0, 2).map(({ net }) => net.partner.id), cpa.partner]
  for (const partner of members) await done(admin, 'POST', 'partner_partner_group', { partner, partner_group: group })
  const claim = (of: (typeof agencies)[number], date: string, sum: string | null, active = true) =>
    rows.query(
      `insert into partner_spend (stream_id, country_id, date, currency_id, claim_sum, claim_currency_id, sum, active)
        values ($1, $2, $3, $4, 7, $4, $5, $6)`,
      [of.spend.stream, of.spend.country, date, of.spend.currency, sum, active],
    )
  const [first, second, foreign] = agencies as [SpendGround, SpendGround, SpendGround]
  await claim(first, within('05'), null)
  await claim(second, within('05'), '9')
  await claim(second, within('06'), null, false)
  await claim(foreign, within('05'), null)
  // The first offer pays for players, the second by revenue share: its players need no resolution.
  const [link] = cpa.links as [Json]
  const { rows: shares } = await rows.query("select id from payment_model where type = 'RS' limit 1")
  const { link: shared } = await makeSpendGround(admin, [], cpa.net, shares[0].id)
  for (const [of, resolution, day] of [
    [link, null, within('05')],
    [link, null, lastDayOf(LAST_MONTH)],
    [link, 'approved', within('06')],
    [link, null, `${THIS_MONTH}-01`],
    [shared, null, within('07')],
  ] as const)
    await rows.query(
      `update player set offer_id = (select offer_id from offer_partner where id = $2), registered_at = $3::date,
        qualification = 'qualified', qualified_at = $3 where id = any($1)`,
      [await rows.players(of, 1, resolution), of.id, day],
    )
  const checked = async (query: string) => {
    const { items } = await done(admin, 'GET', `period_close/checklist?month=${LAST_MONTH}${query}`)
    const linked = (items as Json[]).filter(
      ({ link: to, code }) => to !== null && !['rate_missing', 'issuer_missing'].includes(String(code)),
    )
    // A list of no ids at all filters nothing; the screen offers no link then.
    for (const { code, count, link: to } of linked)
      if (Number(count) > 0) expect(await listedAt(String(to)), `${query} ${String(code)}`).toBe(count)
    return Object.fromEntries(linked.map(({ code, count }) => [code, count]))
  }
  expect(await checked(`&partner_group=${group}`)).toMatchObject({
    claims_open: 2,
    players_unresolved: 2,
    spends_missing: 2,
  })
  // Members whose month is closed count among the warnings, not among what blocks.
  await rows.query(
    'update partner_spend set claim_sum = null, claim_currency_id = null where stream_id = $1 and sum is not null',
    [second.spend.stream],
  )
  await rows.close(second.net.partner.id, LAST_MONTH)
  expect(await checked(`&partner_group=${group}`)).toMatchObject({ claims_open: 1, players_unresolved: 2 })
  expect(await checked('')).toMatchObject({ claims_open: 2 })
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
  // A rebuild that an earlier test has caused would drop the fact, because it belongs to no spend of the record.
  const rebuilding = async () => {
    const { items } = await done(admin, 'GET', `period_close/checklist?month=${LAST_MONTH}`)
    return (items as Json[]).find(({ code }) => code === 'facts_rebuilding')?.count
  }
  await expect.poll(rebuilding, { timeout: 20_000 }).toBe(0)
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
  await done(february, 'PUT', `statement/${first.id}/approve`, {})
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

test('the documents of a statement name the stream that earned a line, wherever its partner offer has moved since [MON-11] [MON-13]', async () => {
  const { net, partner, links, currency } = await rows.partner(1)
  const [link] = links as [Json]
  const title = (link.stream as Json).title as string
  await rows.close(partner, '2026-01')
  await book(link, '2026-01', currency, '10.00')
  const moved = await done(admin, 'POST', 'partner_stream', { partner: net.partner.id, title: unique('Moved') })
  await done(admin, 'PATCH', `offer_partner/${link.id}`, { stream: moved.id })
  const { id } = await done(admin, 'POST', 'statement', { partner, month: '2026-01' })
  const { db } = server.services.postgres
  const document = await readDocument(db, Number(id), 'en', server.services.config)
  expect(document?.lines.map((line) => line.title)).toEqual([expect.stringContaining(title)])
})

test('the workbook of an approved statement keeps the names of partner offers after they are renamed [MON-11] [MON-15]', async () => {
  const { partner, links, currency } = await rows.partner(1)
  const [link] = links as [Json]
  await done(admin, 'PATCH', `offer_partner/${link.id}`, { site_id: 'site-before' })
  await rows.close(partner, '2026-01')
  await book(link, '2026-01', currency, '10.00')
  const { id } = await done(admin, 'POST', 'statement', { partner, month: '2026-01' })
  await done(await signIn(server, 'ADMIN'), 'PUT', `statement/${id}/approve`, {})
  const { db } = server.services.postgres
  const read = async () => (await readDocument(db, Number(id), 'en', server.services.config))?.lines
  const approved = await read()
  expect(approved?.map((line) => line.title)).toEqual([expect.stringMatching(/ · site-before$/)])
  await done(admin, 'PATCH', `offer_partner/${link.id}`, { site_id: 'site-after' })
  await done(admin, 'PATCH', `partner_stream/${(link.stream as Json).id}`, { title: unique('Renamed') })
  await done(admin, 'PATCH', `offer/${(link.offer as Json).id}`, { title: unique('Renamed') })
  expect(await read()).toEqual(approved)
})

test('true-ups that are asked for at once answer the job that does them [MON-03]', async () => {
  const asked = await Promise.all([0, 1, 2, 3].map(() => ask(admin, 'POST', 'ledger_entry/true_up', {})))
  expect(asked.map(({ status }) => status)).toEqual([202, 202, 202, 202])
  const { rows: known } = await rows.query(`select id from jobs.job where name = 'true-up-ledger'`, [])
  for (const { body } of asked) expect(known).toContainEqual({ id: body.job })
})
