// Totals of a month that are spread over days, missing days, tables of the largest size, and the table as a file.

import type { SpendTable } from '@tributary/contract/calls/spend-table'
import { beforeAll, expect, test } from 'vitest'
import { reportModule } from '../../src/api/report-routes.ts'
import type { Server } from '../../src/server.ts'
import {
  ask,
  done,
  ENTITY_MODULES,
  type Json,
  linkOf,
  makeOffer,
  makeSpendGround,
  refused,
  register,
  type SpendGround,
  unique,
} from '../support/entity-calls.ts'
import { startTestApp } from '../support/harness.ts'
import { type SignedIn, signIn } from '../support/sign-in.ts'
import { day, LAST_DAY, MONTH, payByCpa, save, tableOf } from './spend-table-calls.ts'

let server: Server
let admin: SignedIn

beforeAll(async () => {
  server = await startTestApp({ modules: [...ENTITY_MODULES, reportModule] })
  admin = await signIn(server, 'ADMIN')
})

const spreadOver = (ground: SpendGround, body: Record<string, unknown>) =>
  done(admin, 'PUT', 'partner_spend/update_spend_by_stream_and_country', {
    stream: ground.net.stream.id,
    country: ground.net.country.id,
    month: MONTH,
    ...body,
  })

async function addClicks(ground: SpendGround, counts: readonly [string, number][]): Promise<void> {
  const { net, link } = ground
  const place = {
    partner_id: net.partner.id,
    stream_id: net.stream.id,
    country_id: net.country.id,
    advertiser_id: net.advertiser.id,
    offer_id: net.offer.id,
    offer_partner_id: link.id,
  }
  await server.services.clickhouse.insert(
    'click',
    ['day', 'created_at', 'is_click', ...Object.keys(place)],
    counts.flatMap(([date, count]) =>
      Array.from({ length: count }, () => [date, `${date} 12:00:00.000`, 1, ...Object.values(place)]),
    ),
  )
}

const basesOf = (table: SpendTable, ground: SpendGround): Record<string, string> =>
  Object.fromEntries(
    table.rows
      .filter(({ stream }) => stream.id === ground.net.stream.id)
      .flatMap(({ cells }) => cells.flatMap(({ date, base }) => (base === null ? [] : [[date, base]]))),
  )

test('a month’s total is spread by clicks, with the remainder on the last day, and replaces what was there [SPD-01] [MON-07]', async () => {
  const own = await makeSpendGround(admin, [])
  await addClicks(own, [
    [day(2), 1],
    [day(5), 1],
    [day(9), 1],
  ])
  await save(admin, own, [{ date: day(2), base: '500' }])
  expect(await spreadOver(own, { base: '100' })).toMatchObject({ saved: 3, removed: 0 })
  expect(basesOf(await tableOf(admin, own), own)).toEqual({
    [day(2)]: '33.3300',
    [day(5)]: '33.3300',
    [day(9)]: '33.3400',
  })
  await addClicks(own, [[day(9), 7]])
  await spreadOver(own, { base: '1000.01' })
  expect(basesOf(await tableOf(admin, own), own)).toEqual({
    [day(2)]: '100.0000',
    [day(5)]: '100.0000',
    [day(9)]: '800.0100',
  })
})

test('a total that replaces sums of sheets warns of them, after those that differ from a claim [SPD-01] [MON-06]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2)])
  await spreadOver(own, { base: '10' })
  const { pool } = server.services.postgres
  await pool.query(
    `update partner_spend set source = case when date = $2 then 'sheet' else 'manual' end, claim_sum = case when date > $2 then 9 end,
      claim_currency_id = case when date > $2 then currency_id end where stream_id = $1`,
    [own.net.stream.id, day(1)],
  )
  const { warnings } = await spreadOver(own, { base: '20' })
  expect((warnings as Json[]).map(({ date, code }) => [date, code].join(' '))).toEqual([
    `${day(2)} spend_conflict`,
    `${day(1)} spend_replaces_sheet`,
  ])
})

test('without clicks a total is spread equally over days whose counts are not known yet [SPD-01]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2), day(3)])
  await spreadOver(own, { base: '0.05' })
  expect(basesOf(await tableOf(admin, own), own)).toEqual({
    [day(1)]: '0.0100',
    [day(2)]: '0.0100',
    [day(3)]: '0.0300',
  })
})

test('a partner’s total covers all streams and removes other accepted sums; without a fitting day nothing changes [SPD-01]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2)])
  const second = await makeSpendGround(admin, [day(2)], own.net)
  await addClicks(own, [[day(1), 3]])
  await addClicks(second, [[day(2), 1]])
  const left = await makeSpendGround(admin, [day(4)], own.net)
  await save(admin, left, [{ date: day(4), base: '77' }])
  await payByCpa(server, left)
  const body = { partner: own.net.partner.id, month: MONTH, base: '400' }
  expect(await done(admin, 'PUT', 'partner_spend/update_spend_by_partner', body)).toMatchObject({
    saved: 3,
    removed: 1,
  })
  const table = await tableOf(admin, own)
  expect(basesOf(table, own)).toEqual({ [day(1)]: '300.0000', [day(2)]: '0.0000' })
  expect(basesOf(table, second)).toEqual({ [day(2)]: '100.0000' })
  const idle = await makeSpendGround(admin, [])
  expect(
    await refused(admin, 'PUT', 'partner_spend/update_spend_by_partner', { ...body, partner: idle.net.partner.id }),
  ).toEqual({ month: [expect.stringContaining('No day of this month')] })
  for (const base of ['-1', 'x', '', '1e3'])
    expect((await ask(admin, 'PUT', 'partner_spend/update_spend_by_partner', { ...body, base })).status, base).toBe(422)
  expect(
    (await ask(admin, 'PUT', 'partner_spend/update_spend_by_partner', { ...body, currency: 2_000_000_000 })).status,
  ).toBe(422)
})

test('missing days are those with activity on an AGENCY partner offer and no accepted sum; NUS stands beside [SPD-01]', async () => {
  const own = await makeSpendGround(admin, [day(1), day(2), day(3)])
  const cpa = await makeOffer(admin, own.net)
  const stream = await done(admin, 'POST', 'partner_stream', { partner: own.net.partner.id, title: unique('Other') })
  const link = await done(admin, 'POST', 'offer_partner', linkOf({ ...own.net, stream, offer: cpa }))
  await register(admin, own.net, link, day(1))
  await save(admin, own, [{ date: day(2), base: '0' }])
  await server.services.postgres.pool.query(
    `insert into partner_spend (stream_id, country_id, date, claim_sum, claim_currency_id, claim_at, currency_id, offer_partner_id)
      values ($1, $2, $3, 7, $4, now(), $4, $5)`,
    [own.net.stream.id, own.net.country.id, day(3), own.net.currency.id, own.link.id],
  )
  const answer = await done(admin, 'GET', `partner_spend/missing?partner=${own.net.partner.id}&month=${MONTH}`)
  expect(answer).toMatchObject({ days: 2, not_used_spend: [], not_used_count: 0, not_used_total: 0 })
  expect(answer.items).toEqual([
    expect.objectContaining({
      stream: { id: own.net.stream.id, title: own.net.stream.title },
      days: [
        expect.objectContaining({ date: day(1), claimed: false }),
        expect.objectContaining({ date: day(3), claimed: true }),
      ],
    }),
  ])
})

test('the queue, the budget plan and the report by advertiser, country and partner have one NUS for a month [SPD-01] [MON-09] [REP-10]', async () => {
  const own = await makeSpendGround(admin, [])
  await addClicks(own, [[day(2), 1]])
  const { net, link } = own
  const { country: silent } = (await makeSpendGround(admin, [])).net
  const place = {
    offer_partner_id: link.id,
    offer_id: net.offer.id,
    partner_id: net.partner.id,
    advertiser_id: net.advertiser.id,
    stream_id: net.stream.id,
  }
  // Days 5 and 6 have no traffic, but their country has some in the month; the other country has none.
  const spends: [string, unknown, number][] = [
    [day(2), net.country.id, 7.5],
    [day(5), net.country.id, 7.5],
    [day(5), silent.id, 20.25],
    [day(6), silent.id, 30.5],
  ]
  await server.services.clickhouse.insert(
    'spend_fact',
    ['day', 'country_id', 'base', 'sum', 'spend_id', 'version', ...Object.keys(place)],
    spends.map(([date, country, sum], index) => [
      date,
      country,
      sum,
      sum,
      Number(link.id) * 10 + index,
      1,
      ...Object.values(place),
    ]),
  )
  const lost = [
    { date: day(6), price: 30.5 },
    { date: day(5), price: 20.25 },
  ].map((item) => expect.objectContaining({ ...item, partner: net.partner.title, stream: net.stream.title }))
  const queue = await done(admin, 'GET', `partner_spend/missing?partner=${net.partner.id}&month=${MONTH}`)
  expect(queue).toMatchObject({ not_used_count: 2, not_used_total: 50.75, not_used_spend: lost })
  const filter = { partners: [net.partner.id] }
  const plan = await done(admin, 'POST', 'budget_report/report', { month: MONTH, filter })
  expect(plan).toMatchObject({ not_used_count: 2, not_used_total: '50', not_used_spend: lost })
  const by = { groupBy: 'advertiser', secondGroupBy: 'country', thirdGroupBy: 'partner' }
  const report = await done(admin, 'POST', 'general_report', {
    filter: { ...filter, ...by, dateFrom: day(1), dateTo: LAST_DAY },
  })
  expect(report).toMatchObject({ not_used_count: 2, not_used_spend: lost, total: { s: 65.75 } })
})

test('20,000 cells are saved in one call, equal ones again without a change [MON-07]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  const { pool } = server.services.postgres
  const { rows } = await pool.query<{ id: number }>(
    `insert into partner_stream (partner_id, title) select $1, 'Many ' || n from generate_series(1, 715) n returning id`,
    [own.net.partner.id],
  )
  const days = Array.from({ length: 28 }, (_, index) => day(index + 1))
  await pool.query(
    `insert into offer_partner (offer_id, partner_id, stream_id, site_id, traffic_source_id, currency_id, state)
      select $1, $2, id, 'many-' || id, $3, $4, 'approved' from unnest($5::int[]) id`,
    [own.net.offer.id, own.net.partner.id, own.net.source.id, own.net.currency.id, rows.map(({ id }) => id)],
  )
  await server.services.clickhouse.exec(
    `insert into click (day, created_at, is_click, stream_id, country_id)
      select toDate('${day(1)}') + number % 28, toDateTime64('${day(1)} 12:00:00', 3), 1, arrayJoin([${rows.map(({ id }) => id).join(',')}]),
        ${own.net.country.id} from numbers(28)`,
  )
  const cells = rows
    .flatMap(({ id }) => days.map((date) => ({ stream: id, country: own.net.country.id, date, base: '12.34' })))
    .slice(0, 20_000)
  const body = { partner: own.net.partner.id, month: MONTH, cells }
  expect(await done(admin, 'PUT', 'partner_spend/update_table', body)).toMatchObject({ saved: 20_000, refused: [] })
  const table = await tableOf(admin, own)
  expect(table.totals.days).toHaveLength(table.days.length)
  const again = cells.map((cell) => ({ ...cell, version: 1 }))
  expect(await done(admin, 'PUT', 'partner_spend/update_table', { ...body, cells: again })).toMatchObject({
    saved: 20_000,
  })
  const { rows: versions } = await pool.query(
    'select max(version) as max from partner_spend where stream_id = any($1)',
    [rows.map(({ id }) => id)],
  )
  expect(versions).toEqual([{ max: 1 }])
  const tooMany = { ...body, cells: [...cells, ...cells.slice(0, 1)] }
  expect((await ask(admin, 'PUT', 'partner_spend/update_table', tooMany)).status).toBe(422)
}, 30_000)

test('the list is filtered by partner, stream, country and advertiser [SPD-01]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  const other = await makeSpendGround(admin, [day(1)])
  await save(admin, own, [{ date: day(1), base: '5' }])
  await save(admin, other, [{ date: day(1), base: '6' }])
  const { partner, stream, country, advertiser } = own.net
  const filters = {
    'stream.partner': partner.id,
    stream: stream.id,
    country: country.id,
    'offer_partner.offer.advertiser': advertiser.id,
  }
  for (const [name, id] of Object.entries(filters)) {
    const { items } = await done(admin, 'GET', `partner_spend?filter[${name}]=${id}`)
    expect(
      (items as Json[]).map(({ sum }) => sum),
      name,
    ).toEqual(['5.0000'])
  }
})

test('the table as a file has a column for each day, which the import reads again [SPD-01] [SPD-02]', async () => {
  const own = await makeSpendGround(admin, [day(1)])
  await save(admin, own, [{ date: day(1), base: '5.25' }])
  const answer = await admin.call(
    'GET',
    `partner_spend/table/export?partner=${own.net.partner.id}&month=${MONTH}&format=csv`,
  )
  const text = await answer.text()
  expect(text.split('\r\n')[0]).toContain(`Partner,Stream,Country,Site ID,Currency,${day(1)},${day(2)}`)
  expect(text).toContain('5.2500')
})
