// One visitor, several trackers: each answers by what it knows, and the facts end with the earliest click as the only first one.

import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import type { Clickhouse } from '../../src/clickhouse/client.ts'
import { connectClickhouse } from '../../src/clickhouse/http.ts'
import { migrateClickhouse } from '../../src/clickhouse/migrate.ts'
import { lowestId } from '../../src/facts/clicks/click-lines.ts'
import { createClickLoader, type LoadStep } from '../../src/facts/clicks/click-loader.ts'
import type { SettleClicks } from '../../src/facts/clicks/click-settling.ts'
import { createClickSettling } from '../../src/facts/clicks/click-settling.ts'
import { createUniqueness, type Uniqueness } from '../../src/facts/clicks/uniqueness.ts'
import { NO_CLICK } from '../../src/facts/columns.ts'
import { fingerprint } from '../../src/lib/text-fingerprint.ts'
import { connectPostgres, type Postgres } from '../../src/postgres/client.ts'
import { atEndOfFile } from '../support/cleanup.ts'
import { serveClickhouse } from '../support/clickhouse-over-http.ts'
import { fuzzRuns } from '../support/fuzz-runs.ts'
import { createTestDatabase, log, makeDirectory } from '../support/harness.ts'
import { INSERT_INBOX } from '../support/inbox-rows.ts'
import { type ServerProcess, startTestServer } from '../support/server-process.ts'
import { LINK, makeNetwork, OTHER_LINK, someAddress, visit } from '../support/tracker-network.ts'

const HOUR_MS = 3_600_000
const WINDOW_MS = 24 * HOUR_MS
let postgres: Postgres
let clickhouse: Clickhouse
let engines: Record<string, string>

beforeAll(async () => {
  const database = await createTestDatabase()
  const served = await serveClickhouse(makeDirectory())
  engines = { DATABASE_URL: database.url, CLICKHOUSE_URL: served.url }
  postgres = connectPostgres(database.url, log)
  clickhouse = connectClickhouse(served.url, undefined)
  await migrateClickhouse(clickhouse)
  await makeNetwork(postgres.pool)
  atEndOfFile(async () => {
    await clickhouse.close()
    await postgres.close()
    await served.close()
  })
})

async function forgetAll(): Promise<void> {
  await postgres.pool.query(
    `truncate click_inbox, click_writer; delete from facts_progress where name = 'several trackers'`,
  )
  await clickhouse.exec('truncate table click')
}

interface Kept {
  id: string
  canonical_id: string
  is_unique: number
  offer_partner_id: number
  ip: string
  user_agent: string
}

const readClicks = (): Promise<Kept[]> =>
  clickhouse.query<Kept>(
    `select toString(id) as id, toString(canonical_id) as canonical_id, is_unique, offer_partner_id, ip, user_agent
      from click where bot = 0 order by id`,
  )

const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** By the words of the rule: the first click of (link, address, agent) in a day is unique, the others name it. */
function expectOneFirst(clicks: readonly Kept[]): void {
  const firsts = new Map<string, string>()
  const expected = clicks.map(({ id, offer_partner_id: link, ip, user_agent: agent }) => {
    const visitor = `${link}/${ip}/${agent}`
    const first = firsts.get(visitor)
    if (first !== undefined && timeOf(id) - timeOf(first) < WINDOW_MS) return { id, canonical_id: first, is_unique: 0 }
    firsts.set(visitor, id)
    return { id, canonical_id: NO_CLICK, is_unique: 1 }
  })
  expect(clicks.map(({ id, canonical_id, is_unique }) => ({ id, canonical_id, is_unique }))).toEqual(expected)
}

test('visitors who meet two trackers at once end with one first click each; what each tracker answered was its own view [TRK-02]', async () => {
  const start = (roles: string): Promise<ServerProcess> =>
    startTestServer({ env: { ...engines, ROLES: roles, TRUST_PROXY: '1', LOG_LEVEL: 'error' } })
  const trackers = await Promise.all([start('tracker'), start('tracker')])
  for (const { url } of trackers) while ((await visit(url, `/c/${LINK}`)).status !== 302) await sleep(20)
  // Nothing is settled before somebody hands clicks over; the worker finds all of it waiting, and then hears of more.
  const visitors = Array.from({ length: 12 }, someAddress)
  const meet = (link: string): Promise<unknown> =>
    Promise.all(
      visitors.flatMap((address) =>
        [...trackers, ...trackers].map(({ url }) => visit(url, `/c/${link}`, { 'x-forwarded-for': address })),
      ),
    )
  await meet(LINK)
  const worker = await start('worker')
  await meet(OTHER_LINK)
  await meet(LINK)
  const total = visitors.length * 12
  await expect
    .poll(async () => (await readClicks()).filter(({ ip }) => visitors.includes(ip)).length, { timeout: 30_000 })
    .toBe(total)
  const clicks = await readClicks()
  expectOneFirst(clicks)
  expect(clicks.filter(({ ip, is_unique }) => is_unique === 1 && visitors.includes(ip))).toHaveLength(
    visitors.length * 2,
  )
  // They did disagree: as they were recorded, most visitors had two first clicks of a link.
  const { rows } = await postgres.pool.query('select 1 from click_inbox_row where canonical_id is null and not bot')
  expect(rows.length).toBeGreaterThan(visitors.length * 3)
  for (const server of [worker, ...trackers]) expect(await server.stop()).toBe(0)
}, 240_000)

interface Arrival {
  tracker: number
  visitor: number
  /** Hours, and milliseconds on top: some are moments apart, some a day. */
  hour: number
  millisecond: number
  /** Until its batch is committed. */
  late: number
  /** After it, what is visible is handed over; a step is where that dies. */
  load: 'no' | 'yes' | LoadStep
}

const TRACKERS = 3
const arrival: fc.Arbitrary<Arrival> = fc.record({
  tracker: fc.nat(TRACKERS - 1),
  visitor: fc.nat(2),
  hour: fc.nat(60),
  millisecond: fc.oneof(fc.nat(40), fc.nat(3000)),
  late: fc.oneof(fc.constant(0), fc.nat(2000)),
  load: fc.constantFrom('no', 'no', 'no', 'yes', 'yes', 'read', 'inserted', 'marked'),
})

/** The second click is handed over before the first one; those after both belong to the first. Chance hardly finds this. */
const OVERTAKEN: Arrival[] = [
  { tracker: 0, visitor: 0, hour: 0, millisecond: 50, late: 1000, load: 'yes' },
  { tracker: 1, visitor: 0, hour: 0, millisecond: 100, late: 0, load: 'yes' },
  { tracker: 2, visitor: 0, hour: 0, millisecond: 2000, late: 0, load: 'yes' },
  { tracker: 1, visitor: 0, hour: 1, millisecond: 0, late: 0, load: 'yes' },
]

const BEGIN = Date.parse('2026-03-01T00:00:00Z')
const AGENTS = ['Mozilla/5.0', 'with\ttab and \\ sign', '']

interface Waiting {
  row: object
  writer: number
  visibleAt: number
  load: Arrival['load']
}

/** What three trackers write, each by its own memory; of one tracker nothing overtakes what it wrote before. */
function answer(arrivals: readonly Arrival[], writers: readonly number[]): Waiting[] {
  const known: Uniqueness[] = writers.map(() => createUniqueness(() => WINDOW_MS))
  const visible = writers.map(() => 0)
  const sorted = arrivals
    .map((one, index) => ({ ...one, index, time: BEGIN + one.hour * HOUR_MS + one.millisecond }))
    .sort((a, b) => a.time - b.time || a.index - b.index)
  return sorted.map(({ tracker, visitor, time, late, load }, index) => {
    const id = `${lowestId(time).slice(0, 14)}7000-8000-${index.toString(16).padStart(12, '0')}`
    const [ip, agent] = [`81.0.0.${visitor}`, AGENTS[visitor] ?? '']
    const seen = { offerPartnerId: 1, address: fingerprint(ip), agent: fingerprint(agent) }
    const canonical = known[tracker]?.claim(seen, id, time) ?? null
    visible[tracker] = Math.max(visible[tracker] ?? 0, time + late)
    const row = {
      ...{
        id,
        writer: writers[tracker],
        created_at: new Date(time).toISOString(),
        bot: false,
        canonical_id: canonical,
      },
      ...{ offer_partner_id: 1, offer_id: 1, partner_id: 1, advertiser_id: 1, stream_id: 1, traffic_source_id: 1 },
      ...{
        country_id: 1,
        landing_id: null,
        site_id: 's',
        ip,
        user_agent: agent,
        url: '/',
        target: 'https://a.example',
      },
    }
    return { row, writer: writers[tracker] ?? 0, visibleAt: visible[tracker] ?? 0, load }
  })
}

async function handOver(settle: SettleClicks, dieAt?: LoadStep): Promise<void> {
  const onStep = (step: LoadStep): void => {
    if (step === dieAt) throw new Error('killed')
  }
  // A new one looks at everything that is visible, however old.
  const loader = createClickLoader(postgres, clickhouse, { batchSize: 6, settle, onStep })
  while ((await loader.loadOnce()).isBehind);
}

test('whatever trackers meet whom, in whatever order their clicks come in and wherever the loader dies: one first click [TRK-02]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(arrival, { minLength: 4, maxLength: 20 }), async (arrivals) => {
      await forgetAll()
      const { rows } = await postgres.pool.query<{ id: number }>(
        'insert into click_writer (started_at) select $1::timestamptz from generate_series(1, $2) returning id',
        [new Date(BEGIN), TRACKERS],
      )
      let settle = createClickSettling({ postgres, clickhouse })
      const waiting = answer(
        arrivals,
        rows.map(({ id }) => id),
      ).sort((a, b) => a.visibleAt - b.visibleAt)
      for (const { row, load } of waiting) {
        await postgres.pool.query(INSERT_INBOX, [JSON.stringify([row])])
        if (load === 'yes') await handOver(settle)
        else if (load !== 'no') {
          await handOver(settle, load).catch((error: Error) => expect(error.message).toBe('killed'))
          settle = createClickSettling({ postgres, clickhouse })
        }
      }
      await handOver(settle)
      const clicks = await readClicks()
      expect(clicks).toHaveLength(arrivals.length)
      expectOneFirst(clicks)
    }),
    { numRuns: fuzzRuns(4), examples: [[OVERTAKEN]], endOnFailure: true },
  )
}, 240_000)

test('one tracker after another is exact by itself: nothing is looked at on the way [TRK-02]', async () => {
  await forgetAll()
  await postgres.pool.query(
    'insert into click_writer (id, started_at, loaded_id) overriding system value values (901, $1, $3), (902, $2, null)',
    [new Date(BEGIN), new Date(BEGIN + 2 * HOUR_MS), lowestId(BEGIN + HOUR_MS)],
  )
  const settle = createClickSettling({ postgres, clickhouse })
  const lines = Buffer.from('not even taken apart')
  const first = lowestId(BEGIN + 3 * HOUR_MS)
  expect(await settle(lines, [{ writer: 902, first, last: first }])).toBe(lines)
})
