// Qualification under random changes: histories, deposits, bets, reports and countries in any order, late and twice, over clock changes. After
// every change the mark equals a naive computation, and no player is announced twice.

import { addDays, dayOf } from '@tributary/contract/period'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { createOutboxProjector, type OutboxProjector } from '../../src/facts/outbox-projector.ts'
import { readPlayerProgress } from '../../src/facts/players/player-progress.ts'
import { createProjection } from '../../src/facts/projection.ts'
import { addPlayer, type FactsRecord, sqlOf, writeFactsRecord } from '../support/facts-record.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'
import { startTestServices, type TestServices } from '../support/harness.ts'

const ZONE = 'Europe/Kyiv'
/** Days around clock changes, forward and back. */
const TURNS = ['2026-03-27T00:00:00Z', '2026-10-23T00:00:00Z'].map((text) => Date.parse(text))
const HOUR = 3_600_000

let services: TestServices
let record: FactsRecord
let projector: OutboxProjector
const qualifiedIds: number[] = []

beforeAll(async () => {
  services = await startTestServices()
  record = await writeFactsRecord(services.postgres)
  const projection = createProjection(services.postgres, services.clickhouse, {
    onQualified: (_, players) => {
      qualifiedIds.push(...players.map(({ id }) => id))
      return Promise.resolve()
    },
  })
  projector = createOutboxProjector(services.postgres, services.clickhouse, projection)
})

type Kind = 'baseline' | 'bets' | 'period' | 'maxDays'
const TABLES: Record<Kind, string> = {
  baseline: 'offer_partner_bl_deposit_history',
  bets: 'offer_partner_bet_requirement_history',
  period: 'offer_partner_bl_period_history',
  maxDays: 'offer_partner_max_days_history',
}

type Step =
  | { act: 'event'; player: number; type: 'dep' | 'bet'; hours: number; amount: number; key: number }
  | { act: 'report'; player: number; day: number; deposits: number; bets: number }
  | { act: 'forget'; player: number; day: number }
  | { act: 'history'; kind: Kind; from: number; length: number; value: number }
  | { act: 'country'; player: number; country: 0 | 1 }
  | { act: 'requirement'; needs: boolean }

const PLAYERS = 4
const player = fc.nat(PLAYERS - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('event' as const),
      player,
      type: fc.constantFrom('dep' as const, 'bet' as const),
      hours: fc.integer({ min: -20, max: 190 }),
      amount: fc.integer({ min: 1, max: 60 }),
      key: fc.nat(5),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('report' as const),
      player,
      day: fc.integer({ min: -1, max: 7 }),
      deposits: fc.nat(60),
      bets: fc.nat(30),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('forget' as const), player, day: fc.integer({ min: -1, max: 7 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('history' as const),
      kind: fc.constantFrom<Kind>('baseline', 'bets', 'period', 'maxDays'),
      from: fc.integer({ min: -3, max: 3 }),
      length: fc.integer({ min: 1, max: 5 }),
      value: fc.nat(70),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('country' as const),
      player,
      country: fc.constantFrom(0 as const, 1 as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('requirement' as const), needs: fc.boolean() }) },
)

interface Range {
  from: string
  to: string
  value: number
}

/** The recorded history of one player. */
interface RecordedPlayer {
  id: number
  registered: number
  country: number
  events: Map<string, { type: 'dep' | 'bet'; at: number; amount: number }>
  reports: Map<string, { deposits: number; bets: number }>
}

interface World {
  link: number
  start: number
  players: RecordedPlayer[]
  ranges: Record<Kind, Range[]>
  needsCountry: boolean
}

/** Applies the rule day by day. */
function naive(world: World, one: RecordedPlayer): string | null {
  const registered = dayOf(one.registered, ZONE)
  const inForce = (kind: Kind): number | null =>
    world.ranges[kind].find(({ from, to }) => from <= registered && registered <= to)?.value ?? null
  // The partner offer of the record has its own baseline of 50.
  const baseline = inForce('baseline') ?? 50
  const [bets, period, most] = [inForce('bets'), inForce('period'), inForce('maxDays')]
  const sumOf = (type: 'dep' | 'bet', day: string): number => {
    const report = one.reports.get(day)
    if (report !== undefined) return type === 'dep' ? report.deposits : report.bets
    return [...one.events.values()]
      .filter((event) => event.type === type && dayOf(event.at, ZONE) === day)
      .reduce((sum, { amount }) => sum + amount, 0)
  }
  if (world.needsCountry && one.country !== record.countries[0]) return null
  let [deposited, staked] = [0, 0]
  for (let offset = 0; offset <= 20; offset++) {
    if (most !== null && offset > most) return null
    const day = addDays(registered, offset)
    if (period === null || offset <= period) deposited += sumOf('dep', day)
    staked += sumOf('bet', day)
    if (deposited >= baseline && (bets === null || staked >= bets)) return day
  }
  return null
}

async function makeWorld(start: number, hours: readonly number[]): Promise<World> {
  const sql = sqlOf(services.postgres)
  const [link] = await sql(
    `insert into offer_partner (offer_id, partner_id, stream_id, traffic_source_id, site_id, currency_id, state, baseline)
      select offer_id, partner_id, stream_id, traffic_source_id, gen_random_uuid()::text, currency_id, state, baseline from offer_partner where id = $1 returning id`,
    [record.links[0]],
  )
  const players: RecordedPlayer[] = []
  for (const after of hours) {
    const registered = start + after * HOUR
    const id = await addPlayer(services.postgres, link?.id ?? 0, new Date(registered).toISOString())
    players.push({ id, registered, country: 0, events: new Map(), reports: new Map() })
  }
  return {
    link: link?.id ?? 0,
    start,
    players,
    ranges: { baseline: [], bets: [], period: [], maxDays: [] },
    needsCountry: false,
  }
}

async function take(world: World, now: Step): Promise<void> {
  const sql = sqlOf(services.postgres)
  const one = 'player' in now ? world.players[now.player] : undefined
  const dayAt = (offset: number): string => addDays(dayOf(world.start, ZONE), offset)
  if (now.act === 'event' && one !== undefined) {
    const at = world.start + now.hours * HOUR
    const key = `${now.type} ${now.key}`
    // A repeated event changes nothing, whatever its values.
    if (!one.events.has(key)) one.events.set(key, { type: now.type, at, amount: now.amount })
    await sql(
      `insert into player_event (player_id, type, happened_at, amount, currency_id, identity) values ($1, $2, $3, $4, $5, $6)
        on conflict (player_id, type, identity) do nothing`,
      [one.id, now.type, new Date(at), now.amount, record.eur, key],
    )
  } else if (now.act === 'report' && one !== undefined) {
    one.reports.set(dayAt(now.day), { deposits: now.deposits, bets: now.bets })
    await sql(
      `insert into player_report (player_id, report_date, deposits, deposits_count, bets, currency_id) values ($1, $2, $3, 1, $4, $5)
        on conflict (player_id, report_date) do update set deposits = excluded.deposits, bets = excluded.bets`,
      [one.id, dayAt(now.day), now.deposits, now.bets, record.eur],
    )
  } else if (now.act === 'forget' && one !== undefined) {
    one.reports.delete(dayAt(now.day))
    await sql('delete from player_report where player_id = $1 and report_date = $2', [one.id, dayAt(now.day)])
  } else if (now.act === 'history') {
    const range = { from: dayAt(now.from), to: dayAt(now.from + now.length - 1), value: now.value }
    if (now.kind === 'period' || now.kind === 'maxDays') range.value = now.value % 9
    const ranges = world.ranges[now.kind]
    if (ranges.some(({ from, to }) => from <= range.to && range.from <= to)) return
    ranges.push(range)
    await sql(`insert into ${TABLES[now.kind]} (offer_partner_id, value, date_from, date_to) values ($1, $2, $3, $4)`, [
      world.link,
      range.value,
      range.from,
      range.to,
    ])
  } else if (now.act === 'country' && one !== undefined) {
    one.country = record.countries[now.country]
    await sql('update player set actual_country_id = $2 where id = $1', [one.id, one.country])
  } else if (now.act === 'requirement') {
    world.needsCountry = now.needs
    await sql('update offer_partner set country_requirement = $2 where id = $1', [world.link, now.needs])
  }
}

test('after any changes in any order the mark equals the record, a player is announced once, and the progress agrees [PLY-04]', async () => {
  const sql = sqlOf(services.postgres)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...TURNS),
      fc.array(fc.nat(96), { minLength: PLAYERS, maxLength: PLAYERS }),
      fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 }),
      async (start, hours, chapters) => {
        const world = await makeWorld(start, hours)
        const wasQualified = new Set<number>()
        for (const chapter of chapters) {
          for (const now of chapter) await take(world, now)
          while ((await projector.projectOnce()).hasMore);
          const ids = world.players.map(({ id }) => id)
          const rows = await sql<{ id: number; qualification: string; qualified_at: string | null }>(
            'select id, qualification, qualified_at from player where id = any($1) order by id',
            [ids],
          )
          const expected = world.players.map((one) => {
            const day = naive(world, one)
            if (day !== null) wasQualified.add(one.id)
            const qualification = day !== null ? 'qualified' : wasQualified.has(one.id) ? 'lost' : 'unqualified'
            return { id: one.id, qualification, qualified_at: day }
          })
          expect(rows).toEqual(expected)
        }
        for (const { id } of world.players) {
          expect(qualifiedIds.filter((other) => other === id).length).toBe(wasQualified.has(id) ? 1 : 0)
          const progress = await readPlayerProgress(services.postgres, id, start + 30 * 24 * HOUR)
          const [row] = await sql<{ qualified_at: string | null }>('select qualified_at from player where id = $1', [
            id,
          ])
          expect(progress?.qualifiedOn).toBe(row?.qualified_at ?? null)
          expect(progress?.rules.every(({ state }) => state === 'met')).toBe(progress?.qualifiedOn !== null)
        }
      },
    ),
    { numRuns: fuzzRuns(6) },
  )
}, 120_000)
