// The reference example of the ledger, entry by entry, through the API: a close, late facts, a reopening, and the close of the next month.

import { addDays, DEFAULT_ZONE, startOfDay, today } from '@tributary/contract/period'
import { beforeAll, expect, test } from 'vitest'
import { createOutboxProjector } from '../../src/facts/outbox-projector.ts'
import { createProjection } from '../../src/facts/projection.ts'
import { readSetting, storeAppliedSetting } from '../../src/facts/setting.ts'
import { trueUp } from '../../src/money/close.ts'
import type { Server } from '../../src/server.ts'
import { ask, done, ENTITY_MODULES, type Json } from '../support/entity-calls.ts'
import { addPlayer, type FactsRecord, sqlOf, writeFactsRecord } from '../support/facts-record.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'

const THIS_MONTH = today(DEFAULT_ZONE).slice(0, 7)
const monthBefore = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7)
const SECOND = monthBefore(THIS_MONTH)
const FIRST = monthBefore(SECOND)
const day = (month: string, number: number): string => `${month}-${String(number).padStart(2, '0')}`

let server: Server
let admin: SignedIn
let record: FactsRecord
let sql: ReturnType<typeof sqlOf>
let links: Record<'A' | 'B' | 'C' | 'D', number>
let partner: number
let a3: number
let incomePlayer: number
let spend22: number

async function settle(): Promise<void> {
  const { postgres, clickhouse } = server.services
  const projector = createOutboxProjector(postgres, clickhouse, createProjection(postgres, clickhouse))
  await new Promise((resolve) => setTimeout(resolve, 5))
  while ((await projector.projectOnce()).hasMore);
  const { dataTo } = await projector.projectOnce()
  await sql(
    `insert into facts_progress (name, at) values ('record', $1) on conflict (name) do update set at = excluded.at`,
    [new Date(dataTo)],
  )
}

async function qualify(link: number, on: string): Promise<number> {
  const at = new Date(startOfDay(on, DEFAULT_ZONE) + 43_200_000).toISOString()
  const player = await addPlayer(server.services.postgres, link, at, { payment_resolution: 'approved' })
  await report(player, on, { deposits_count: 1, deposits: 50 })
  return player
}

async function report(player: number, on: string, figures: Record<string, unknown>): Promise<void> {
  const values = { currency_id: record.eur, ...figures }
  const names = Object.keys(values)
  await sql(
    `insert into player_report (player_id, report_date, ${names.join(', ')})
      values ($1, $2, ${names.map((_, index) => `$${index + 3}`).join(', ')})
      on conflict (player_id, report_date) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [player, on, ...Object.values(values)],
  )
}

/** Writes spend of D in the first month. */
const spend = (on: number, sum: string, currency = record.eur): Promise<{ id: number }[]> =>
  sql(
    `insert into partner_spend (stream_id, country_id, date, sum, currency_id, offer_partner_id, source)
      values ($1, $2, $3, $4, $5, $6, 'manual') returning id`,
    [record.streams[0], record.countries[0], day(FIRST, on), sum, currency, links.D],
  )

/** Entries as 'booked source link kind amount currency', in the order of booking. */
async function entries(): Promise<string[]> {
  const list = await done(admin, 'GET', `ledger_entry?limit=-1&filter[partner]=${partner}&order[id]=ASC`)
  const nameOf = (id: unknown): string => Object.entries(links).find(([, link]) => link === id)?.[0] ?? '?'
  return (list.items as Json[]).map((row) => {
    const [link, currency] = [row.offer_partner as Json, row.currency as Json]
    const [earned, booked, source, kind, amount] = ['earned_month', 'booked_month', 'source', 'kind', 'amount'].map(
      (name) => String(row[name]),
    )
    return `${earned} ${booked} ${source} ${nameOf(link.id)} ${kind} ${amount} ${String(currency.title)}`
  })
}

const itemsOf = async (index: number): Promise<Json[]> => {
  const list = await done(admin, 'GET', `ledger_entry?limit=-1&filter[partner]=${partner}&order[id]=ASC`)
  const entry = (list.items as Json[])[index]
  return (await done(admin, 'GET', `ledger_item?limit=-1&filter[ledger_entry]=${entry?.id}`)).items as Json[]
}

beforeAll(async () => {
  server = await startTestApp({ modules: ENTITY_MODULES })
  admin = await signIn(server, 'ADMIN')
  const { postgres } = server.services
  sql = sqlOf(postgres)
  record = await writeFactsRecord(postgres)
  const [a, b, c, d] = record.links
  links = { A: a, B: b, C: c, D: d }
  partner = record.partners[0]
  const [offerA, offerB, offerC] = record.offers
  await sql('update offer_partner set partner_id = $1, stream_id = $2', [partner, record.streams[0]])
  await sql('update offer set cost = 50, baseline = 10 where id = $1', [offerA])
  await sql('update offer_partner set baseline = 10')
  await sql('update offer set cost = null, rs_share = 25 where id = $1', [offerB])
  await sql('update offer set cost = 40, rs_share = 20, currency_id = $2 where id = $1', [offerC, record.usd])
  const dated = (table: string, link: number, value: number) =>
    sql(`insert into ${table} (offer_partner_id, value, date_from) values ($1, $2, $3)`, [link, value, day(FIRST, 16)])
  await dated('offer_partner_cost_history', a, 60)
  await dated('offer_partner_rs_share_history', b, 30)
  await sql('update setting set agency_spend_percentage = 10')
  await dated('offer_partner_agency_percentage_history', d, 12)
  await storeAppliedSetting(postgres.pool, await readSetting(postgres.pool))
  for (const on of [1, 2, 8, 4, 5, 6]) {
    const player = await qualify(a, day(FIRST, on))
    if (on === 8) a3 = player
  }
  for (const on of [16, 17, 18, 28]) await qualify(a, day(FIRST, on))
  incomePlayer = await addPlayer(postgres, b, `${day(FIRST, 1)}T12:00:00Z`)
  await report(incomePlayer, day(FIRST, 5), { income: '1234.57' })
  await report(incomePlayer, day(FIRST, 16), { income: '-200.10' })
  for (const on of [3, 4, 5]) await qualify(c, day(FIRST, on))
  const hybrid = await addPlayer(postgres, c, `${day(FIRST, 1)}T12:00:00Z`)
  await report(hybrid, day(FIRST, 9), { income: '612.53', currency_id: record.usd })
  await spend(3, '1000')
  spend22 = (await spend(22, '500.05'))[0]?.id ?? 0
  await settle()
}, 60_000)

const E1_TO_E5 = [
  `${FIRST} ${FIRST} close A cpa 540.0000 EUR`,
  `${FIRST} ${FIRST} close B rs 248.6100 EUR`,
  `${FIRST} ${FIRST} close C cpa 120.0000 USD`,
  `${FIRST} ${FIRST} close C rs 122.5100 USD`,
  `${FIRST} ${FIRST} close D agency 1660.0600 EUR`,
]

test('the checklist names what blocks a close and what it warns about [MON-01]', async () => {
  const over = await done(admin, 'GET', `period_close/checklist?month=${FIRST}`)
  const counts = Object.fromEntries(
    (over.items as { code: string; count: number }[]).map((row) => [row.code, row.count]),
  )
  expect(counts).toMatchObject({ month_not_over: 0, rate_missing: 0, claims_open: 0, advertisers_unconfirmed: 1 })
  expect(over.unconfirmed).toEqual([{ id: record.advertiser, title: expect.any(String) }])
  expect((await ask(admin, 'POST', 'period_close', { month: THIS_MONTH })).status).toBe(409)
  await done(admin, 'POST', 'advertiser_confirmation', { advertiser: record.advertiser, month: FIRST })
  const confirmed = await done(admin, 'GET', `period_close/checklist?month=${FIRST}`)
  expect(confirmed.items).toContainEqual(expect.objectContaining({ code: 'advertisers_unconfirmed', count: 0 }))
})

test('the close books what is owed by each key, in the currency of the term; of two closes at once one does [MON-01] [MON-03]', async () => {
  const replies = await Promise.all([1, 2].map(() => ask(admin, 'POST', 'period_close', { month: FIRST })))
  expect(replies.map(({ status }) => status).sort((x, y) => x - y)).toEqual([201, 409])
  expect((await entries()).sort()).toEqual([...E1_TO_E5].sort())
})

test('items list what an entry consists of [MON-03] [MON-16]', async () => {
  const all = await entries()
  const rs = await itemsOf(all.indexOf(`${FIRST} ${FIRST} close B rs 248.6100 EUR`))
  expect(rs.map(({ day: on, base, rate, amount }) => [on, base, rate, amount])).toEqual([
    [day(FIRST, 5), '1234.5700', '25.0000', '308.6425'],
    [day(FIRST, 16), '-200.1000', '30.0000', '-60.0300'],
  ])
  const cpa = await itemsOf(all.indexOf(`${FIRST} ${FIRST} close A cpa 540.0000 EUR`))
  expect(cpa.map(({ quantity, amount }) => `${String(quantity)} ${String(amount)}`).sort()).toEqual([
    ...Array.from({ length: 6 }, () => '1 50.0000'),
    ...Array.from({ length: 4 }, () => '1 60.0000'),
  ])
  const agency = await itemsOf(all.indexOf(`${FIRST} ${FIRST} close D agency 1660.0600 EUR`))
  expect(agency.map(({ base, rate, amount }) => [base, rate, amount])).toEqual([
    ['1000.0000', '10.0000', '1100.0000'],
    ['500.0500', '12.0000', '560.0560'],
  ])
})

test('late facts become true-ups with their causes, once [MON-03] [MON-05]', async () => {
  await report(incomePlayer, day(FIRST, 20), { income: '150.01' })
  await report(a3, day(FIRST, 8), { deposits: 5 })
  await settle()
  expect(await trueUp(server.services)).toBe(2)
  expect(await trueUp(server.services)).toBe(0)
  expect((await entries()).slice(5).sort()).toEqual([
    `${FIRST} ${SECOND} true_up A cpa -50.0000 EUR`,
    `${FIRST} ${SECOND} true_up B rs 45.0100 EUR`,
  ])
  const list = await done(admin, 'GET', 'ledger_entry?limit=-1&filter[source]=true_up')
  for (const { causes } of list.items as Json[])
    expect(causes).toEqual([expect.objectContaining({ cause: expect.stringContaining('player_report'), facts: 1 })])
  const recordsOf = (kind: string) =>
    (list.items as Json[])
      .filter((entry) => entry.kind === kind)
      .flatMap(({ causes }) => (causes as Json[]).flatMap(({ records }) => records as Json[]))
  expect(recordsOf('rs')).toMatchObject([
    {
      entity: 'player',
      id: incomePlayer,
      day: day(FIRST, 20),
      before: { base: '0.0000' },
      after: { amount: '45.0030' },
    },
  ])
  expect(recordsOf('cpa')).toMatchObject([
    { entity: 'player', id: a3, before: { amount: '50.0000' }, after: { amount: '0.0000' } },
  ])
})

test('a month that is reopened for a partner takes changes, and is booked by closing it again [MON-01] [MON-02]', async () => {
  const close = ((await done(admin, 'GET', `period_close?filter[month]=${FIRST}`)).items as Json[])[0]
  const change = { sum: '580.05' }
  expect((await ask(admin, 'PATCH', `partner_spend/${spend22}`, change)).status).toBe(409)
  const reopen = { reason: 'the partner found an invoice', partner }
  expect((await ask(admin, 'PUT', `period_close/${close?.id}/reopen`, reopen)).status).toBe(204)
  expect((await ask(admin, 'PUT', `period_close/${close?.id}/reopen`, reopen)).status).toBe(409)
  await sql('update partner_spend set sum = 580.05 where id = $1', [spend22])
  await settle()
  expect(await trueUp(server.services)).toBe(0)
  await done(admin, 'POST', 'period_close', { month: FIRST })
  expect((await entries()).slice(7)).toEqual([`${FIRST} ${SECOND} reclose D agency 89.6000 EUR`])
})

test('the next month is booked by its own close [MON-01] [MON-03]', async () => {
  for (const on of [3, 4]) await qualify(links.A, day(SECOND, on))
  await report(incomePlayer, day(SECOND, 10), { income: '-1000' })
  // The close waits for the facts of what was saved before.
  const closing = done(admin, 'POST', 'period_close', { month: SECOND })
  await new Promise((resolve) => setTimeout(resolve, 300))
  await settle()
  await closing
  expect((await entries()).slice(8).sort()).toEqual([
    `${SECOND} ${SECOND} close A cpa 120.0000 EUR`,
    `${SECOND} ${SECOND} close B rs -300.0000 EUR`,
  ])
})

test('the entries of the first month sum to what is owed [MON-05]', async () => {
  const sums = await sql<{ key: string; sum: string }>(
    `select e.kind || ' ' || c.title || ' ' || e.offer_partner_id as key, sum(e.amount)::numeric(18, 2)::text as sum
      from ledger_entry e join currency c on c.id = e.currency_id where e.earned_month = $1 group by 1`,
    [FIRST],
  )
  expect(Object.fromEntries(sums.map(({ key, sum }) => [key, sum]))).toEqual({
    [`cpa EUR ${links.A}`]: '490.00',
    [`rs EUR ${links.B}`]: '293.62',
    [`cpa USD ${links.C}`]: '120.00',
    [`rs USD ${links.C}`]: '122.51',
    [`agency EUR ${links.D}`]: '1749.66',
  })
})

test('a key that first appears while its month is reopened has its causes, too [MON-03]', async () => {
  const closes = (await done(admin, 'GET', `period_close?filter[month]=${FIRST}`)).items as Json[]
  const standing = closes.find(({ reopened_at }) => reopened_at === null)
  await done(admin, 'PUT', `period_close/${standing?.id}/reopen`, { reason: 'spend in dollars', partner })
  await spend(24, '100', record.usd)
  await settle()
  await done(admin, 'POST', 'period_close', { month: FIRST })
  const list = await done(admin, 'GET', `ledger_entry?limit=-1&filter[partner]=${partner}&order[id]=DESC`)
  expect((list.items as Json[])[0]).toMatchObject({
    source: 'reclose',
    kind: 'agency',
    amount: '112.0000',
    causes: [expect.objectContaining({ cause: expect.stringContaining('partner_spend'), facts: 1 })],
  })
})

test('a player who moves from a reopened month to a closed one counts once, also before the month is closed again [MON-12] [MON-05]', async () => {
  const player = await qualify(links.A, day(FIRST, 25))
  await settle()
  await trueUp(server.services)
  const closes = (await done(admin, 'GET', `period_close?filter[month]=${FIRST}`)).items as Json[]
  const standing = closes.find(({ reopened_at }) => reopened_at === null)
  await done(admin, 'PUT', `period_close/${standing?.id}/reopen`, { reason: 'reports are corrected', partner })
  await report(player, day(FIRST, 25), { deposits: 1 })
  await report(player, day(SECOND, 6), { deposits_count: 1, deposits: 50 })
  await settle()
  const counts = () =>
    sql<{ month: string; source: string; quantity: number }>(
      `select e.earned_month as month, e.source, i.quantity from ledger_item i join ledger_entry e on e.id = i.ledger_entry_id
        where i.player_id = $1 order by e.earned_month, i.id`,
      [player],
    )
  const moved = [
    { month: FIRST, source: 'true_up', quantity: 1 },
    { month: FIRST, source: 'true_up', quantity: -1 },
    { month: SECOND, source: 'true_up', quantity: 1 },
  ]
  await trueUp(server.services)
  expect(await counts()).toEqual(moved)
  await done(admin, 'POST', 'period_close', { month: FIRST })
  expect(await trueUp(server.services)).toBe(0)
  expect(await counts()).toEqual(moved)
})
