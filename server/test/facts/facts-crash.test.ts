// Projecting survives any crash between two steps and any concurrent change: in the end the facts equal a naive recount of PostgreSQL,
// to the cent.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Clickhouse } from '../../src/clickhouse/client.ts'
import { causedBy } from '../../src/facts/cause.ts'
import { createOutboxProjector, type OutboxProjector } from '../../src/facts/outbox-projector.ts'
import { createProjection } from '../../src/facts/projection.ts'
import type { Postgres } from '../../src/postgres/client.ts'
import { addEvent, addPlayer, addReport, type FactsRecord, sqlOf, writeFactsRecord } from '../support/facts-record.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'
import { startTestServices } from '../support/harness.ts'

let postgres: Postgres
let clickhouse: Clickhouse
let record: FactsRecord
let sql: ReturnType<typeof sqlOf>

beforeAll(async () => {
  const services = await startTestServices()
  postgres = services.postgres
  sql = sqlOf(postgres)
  clickhouse = services.clickhouse
  record = await writeFactsRecord(postgres)
})

class Killed extends Error {}

/** A projector that dies at the n-th step: in PostgreSQL, or at one of its inserts, before or after it arrived. */
function makeProjector(dieAt = 0): OutboxProjector {
  let left = dieAt
  const step = (): void => {
    if (left > 0 && --left === 0) throw new Killed()
  }
  const dying: Clickhouse = {
    ...clickhouse,
    async insertText(...args) {
      step()
      await clickhouse.insertText(...args)
      step()
    },
  }
  const projection = createProjection(postgres, dying, { onStep: step })
  return createOutboxProjector(postgres, dying, projection, { onStep: step })
}

async function settle(): Promise<void> {
  const projector = makeProjector()
  while ((await projector.projectOnce()).hasMore);
}

interface Counted {
  day: string
  player_id: number
  registrations: number
  first_deposits: number
  deposits_count: number
  deposits: number
  first_amount: number
  bets: number
  income: number
  previous_day: string
  previous_bet_day: string
}

/** PostgreSQL's own count in EUR, independent of the projector. */
const RECOUNT = `
  with told as (
    select p.id as player_id, (e.happened_at at time zone 'Europe/Kyiv')::date as day, e.happened_at, e.id, e.type,
      round(e.amount * case e.currency_id when $1 then 1 else coalesce((select r.rate from currency_rate r where r.currency_id = e.currency_id
        and r.date <= (e.happened_at at time zone 'Europe/Kyiv')::date order by r.date desc limit 1), 0) end, 4) as amount
    from player p join player_event e on e.player_id = p.id where p.active),
  days as (
    select player_id, day, count(*) filter (where type = 'dep') as deposits_count, sum(amount) filter (where type = 'dep') as deposits,
      (array_agg(amount order by happened_at, id) filter (where type = 'dep'))[1] as earliest, sum(amount) filter (where type = 'bet') as bets,
      0::numeric as income from told t
    where not exists (select from player_report r where r.player_id = t.player_id and r.report_date = t.day) group by 1, 2
      having count(*) filter (where type = 'dep') > 0 or sum(amount) filter (where type = 'bet') <> 0
    union all
    select r.player_id, r.report_date, r.deposits_count, r.deposits,
      case when r.deposits_count = 1 then r.deposits else coalesce((select amount from told t where t.player_id = r.player_id
        and t.day = r.report_date and t.type = 'dep' order by happened_at, id limit 1), nullif(r.first_day_amount, 0), r.deposits) end,
      r.bets, r.income
    from player_report r join player p on p.id = r.player_id where p.active and (r.deposits_count <> 0 or r.deposits <> 0 or r.bets <> 0 or r.income <> 0)),
  firsts as (select player_id, min(day) as first_day from days where deposits_count > 0 group by 1),
  marks as (
    select id as player_id, (registered_at at time zone 'Europe/Kyiv')::date as day from player where active and registered_at is not null
    union select id, qualified_at from player where active and qualified_at is not null),
  every as (select player_id, day from days union select player_id, day from marks)
  select e.day::text, e.player_id, (e.day = (p.registered_at at time zone 'Europe/Kyiv')::date)::int as registrations,
    coalesce(e.day = f.first_day, false)::int as first_deposits, coalesce(d.deposits_count, 0)::int as deposits_count,
    coalesce(d.deposits, 0)::float as deposits, case when e.day = f.first_day then d.earliest else 0 end::float as first_amount,
    coalesce(d.bets, 0)::float as bets, coalesce(d.income, 0)::float as income,
    coalesce(lag(e.day) over w, '1970-01-01')::text as previous_day,
    coalesce(max(e.day) filter (where d.bets > 0) over (w rows between unbounded preceding and 1 preceding), '1970-01-01')::text as previous_bet_day
  from every e join player p on p.id = e.player_id left join days d using (player_id, day) left join firsts f using (player_id)
  window w as (partition by e.player_id order by e.day)
  order by 2, 1`

/** Valid entered spends, each once under its current partner and day. */
const spendsIn = (suffix = '') =>
  clickhouse.query(
    `select spend_id, toString(day) as day, partner_id, toFloat64(base_original) as entered from spend_fact${suffix} final
      where is_deleted = 0 order by spend_id`,
  )

async function expectEqual(): Promise<void> {
  expect(await spendsIn()).toEqual(
    await sql(
      `select s.id as spend_id, s.date::text as day, t.partner_id, s.sum::float8 as entered
        from partner_spend s join partner_stream t on t.id = s.stream_id where s.active order by s.id`,
    ),
  )
  const facts = await clickhouse.query<Counted>(
    `select toString(day) as day, player_id, registrations, first_deposits, deposits_count, toFloat64(deposits) as deposits,
        toFloat64(first_amount) as first_amount, toFloat64(bets) as bets, toFloat64(income) as income,
        toString(previous_day) as previous_day, toString(previous_bet_day) as previous_bet_day
      from activity_fact final where is_deleted = 0 order by player_id, day`,
  )
  expect(facts).toEqual(await sql<Counted>(RECOUNT, [record.eur]))
  const [counts] = await clickhouse.query<Record<string, number>>(
    `select count() as players, countIf(qualification = 'qualified') as qualified from player_fact final where is_deleted = 0`,
  )
  const [told] = await sql<Record<string, number>>(
    `select count(*) as players, count(*) filter (where qualification = 'qualified') as qualified from player where active`,
  )
  expect(counts).toEqual(told)
}

const moment = fc
  .integer({ min: 0, max: 40 * 24 })
  .map((hours) => new Date(Date.parse('2026-02-20T21:00:00Z') + hours * 3_600_000).toISOString())
const someone = fc.nat(5)
const change = fc.oneof(
  fc.record({ kind: fc.constant('player' as const), link: fc.nat(3), at: moment }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('event' as const),
      who: someone,
      type: fc.constantFrom('dep' as const, 'bet' as const),
      at: moment,
      amount: fc.integer({ min: 1, max: 999_999 }),
      isUsd: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('report' as const),
      who: someone,
      at: moment,
      deposits: fc.nat(50),
      count: fc.nat(3),
      bets: fc.nat(9),
      income: fc.integer({ min: -20, max: 20 }),
    }),
  },
  fc.record({ kind: fc.constant('forget' as const), who: someone }),
  fc.record({ kind: fc.constant('unreport' as const), who: someone }),
  fc.record({ kind: fc.constant('move' as const), who: someone, link: fc.nat(3) }),
  fc.record({ kind: fc.constant('hide' as const), who: someone, active: fc.boolean() }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('spend' as const),
      stream: fc.nat(1),
      at: moment,
      sum: fc.nat(9),
      active: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('baseline' as const), link: fc.nat(3), value: fc.integer({ min: 0, max: 200 }) }),
  fc.record({ kind: fc.constant('rate' as const), at: moment, value: fc.integer({ min: 1, max: 300 }) }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('project' as const), dieAt: fc.nat(14) }) },
)
type Step = typeof change extends fc.Arbitrary<infer T> ? T : never

async function apply(step: Step, players: number[]): Promise<void> {
  const player = 'who' in step ? players[step.who % Math.max(players.length, 1)] : undefined
  const link = 'link' in step ? (record.links[step.link] ?? 0) : 0
  if (step.kind === 'player') players.push(await addPlayer(postgres, link, step.at))
  else if (step.kind === 'baseline')
    await sql('update offer_partner set baseline = $2 where id = $1', [link, step.value])
  else if (step.kind === 'rate') {
    await sql(
      `insert into currency_rate (currency_id, date, rate) values ($1, $2, $3)
        on conflict (currency_id, date) do update set rate = excluded.rate`,
      [record.usd, step.at.slice(0, 10), step.value / 100],
    )
  } else if (step.kind === 'spend') {
    // Repeated changes move the spend between months and partners.
    await sql(
      `insert into partner_spend (id, stream_id, country_id, date, sum, currency_id, active) values (1, $1, $2, $3, $4, $5, $6)
        on conflict (id) do update set (stream_id, date, sum, active) = (excluded.stream_id, excluded.date, excluded.sum, excluded.active)`,
      [record.streams[step.stream], record.countries[0], step.at.slice(0, 10), step.sum, record.eur, step.active],
    )
  } else if (step.kind === 'project') {
    const projector = makeProjector(step.dieAt)
    await projector.projectOnce().catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error
    })
  } else if (player !== undefined) await applyTo(player, step)
}

async function applyTo(player: number, step: Step): Promise<void> {
  if (step.kind === 'event')
    await addEvent(postgres, player, step.type, step.at, step.amount / 10_000, step.isUsd ? record.usd : record.eur)
  if (step.kind === 'report') {
    const { deposits, count, bets, income } = step
    await addReport(postgres, player, step.at.slice(0, 10), record.eur, {
      deposits,
      deposits_count: count,
      first_day_amount: 0,
      bets,
      income,
    })
  }
  if (step.kind === 'forget') await sql('delete from player_event where player_id = $1', [player])
  if (step.kind === 'unreport') await sql('delete from player_report where player_id = $1', [player])
  if (step.kind === 'move')
    await sql('update player set offer_partner_id = $2 where id = $1', [player, record.links[step.link]])
  if (step.kind === 'hide') await sql('update player set active = $2 where id = $1', [player, step.active])
}

test('whenever it dies and whatever changes, the facts end equal to a recount of PostgreSQL [SYS-06][REP-15]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 30 }), async (steps) => {
      await sql('delete from partner_spend')
      await sql('delete from player_report')
      await sql('delete from player')
      const players = [await addPlayer(postgres, record.links[0], '2026-02-22T10:00:00Z')]
      for (const step of steps) await apply(step, players)
      await settle()
      await expectEqual()
    }),
    { numRuns: fuzzRuns(8), endOnFailure: true },
  )
}, 240_000)

test('the last logged values are the current ones [SYS-06]', async () => {
  await settle()
  const last = await clickhouse.query(
    `select player_id, day, argMax(deposits, version) as deposits, argMax(bets, version) as bets, argMax(is_deleted, version) as is_deleted
      from activity_fact_log group by player_id, day having is_deleted = 0 order by player_id, day`,
  )
  const lastSpends = await clickhouse.query(
    `select spend_id, toString(argMax(day, version)) as day, argMax(partner_id, version) as partner_id,
        toFloat64(argMax(base_original, version)) as entered, argMax(is_deleted, version) as gone
      from spend_fact_log group by spend_id having gone = 0 order by spend_id`,
  )
  expect(lastSpends).toEqual((await spendsIn()).map((row) => ({ ...row, gone: 0 })))
  expect(last).toEqual(
    await clickhouse.query(
      'select player_id, day, deposits, bets, is_deleted from activity_fact final where is_deleted = 0 order by player_id, day',
    ),
  )
})

test('a spend that moves during a rebuild has one row in the new facts [SYS-06]', async () => {
  const causes = causedBy({ cause: 'rebuild', actorId: 0, requestId: '', at: Date.now() })
  const projection = createProjection(postgres, clickhouse)
  await sql('delete from partner_spend')
  const [spend] = await sql(
    `insert into partner_spend (stream_id, country_id, date, sum, currency_id) values ($1, $2, '2026-08-01', 3, $3) returning id`,
    [record.streams[0], record.countries[0], record.eur],
  )
  const ids = [spend?.id ?? 0]
  await clickhouse.exec('create table spend_fact_rebuild as spend_fact')
  projection.mirrorInto('_rebuild')
  await projection.spends(ids, causes)
  await sql(`update partner_spend set date = '2026-09-01', stream_id = $1`, [record.streams[1]])
  await projection.spends(ids, causes, { rebuildInto: '_rebuild' })
  expect(await spendsIn('_rebuild')).toMatchObject([{ day: '2026-09-01', partner_id: record.partners[1] }])
  await projection.spends(ids, causes)
  expect(await spendsIn('_rebuild')).toEqual(await spendsIn())
})
