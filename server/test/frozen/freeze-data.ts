// `node server/test/frozen/freeze-data.ts`: writes the data of a small network in this version's format to golden/data-of-<version>.json.gz. It runs
// once per version; frozen-data.test.ts starts later versions on it. It stores rows instead of engine files.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { Client } from 'pg'
import { to } from 'pg-copy-streams'
import { CLICKHOUSE_MIGRATIONS } from '../../src/clickhouse/migrate.ts'
import { loadConfig } from '../../src/config.ts'
import { createFactsModule } from '../../src/facts/module.ts'
import { createMonthSummer } from '../../src/facts/months/month-sums.ts'
import { createLog } from '../../src/lib/log.ts'
import { readMigrations } from '../../src/lib/migration.ts'
import { stopAll, type Undo } from '../../src/lib/undo.ts'
import { POSTGRES_MIGRATIONS } from '../../src/postgres/migrate.ts'
import { startServices } from '../../src/server.ts'
import type { Services } from '../../src/services.ts'
import { beforeCorrections, correctRecord } from '../reports/reports-corrections.ts'
import {
  clearWorld,
  writeBooks,
  writeClicks,
  writeDirectory,
  writeEvents,
  writeFormulas,
  writePlayers,
} from '../reports/reports-record.ts'
import { MODELS, type World, worldArbitrary } from '../reports/reports-world.ts'
import type { FrozenData, FrozenTable } from './frozen-data.ts'

const SEED = 14
const LATE_CLICKS = 12
const LATE_EVENTS = 15

/** Of some random networks that span two months and a clock change, the largest with income under the most payment models. */
function chooseWorld(): World {
  const size = (world: World): number =>
    world.events.length + world.clicks.length + world.spends.length + world.reports.length
  const worlds = fc
    .sample(worldArbitrary, { seed: SEED, numRuns: 3000 })
    .filter(({ zone, rates }) => zone === 'Europe/Kyiv' && rates.some(({ day }) => day < '2026-05-01'))
  const [fullest] = worlds.toSorted((a, b) => modelsWithIncome(b).size - modelsWithIncome(a).size || size(b) - size(a))
  if (fullest === undefined) throw new Error('no network was made')
  return withTerms(fullest)
}

/** Each partner offer has a range of costs, and those of agencies have spend before, in and after the range of the percentage. */
function withTerms(world: World): World {
  const costs = [{ from: '2026-03-27', to: '2026-04-02', value: 41 }]
  const links = world.links.map((link) =>
    link.dated.costs.length > 0 ? link : { ...link, dated: { ...link.dated, costs } },
  )
  const spends = links.flatMap(({ offer: id, stream, site }): Omit<World['spends'][number], 'id'>[] => {
    const offer = world.offers.find((one) => one.id === id)
    if (offer === undefined || MODELS[offer.model] !== 'AGENCY') return []
    const place = { stream, site, country: offer.country, sum: 123.45, currency: 1 }
    const how = { isActive: true, state: 'accepted', source: 'manual' } as const
    return ['2026-03-24', '2026-03-27', '2026-04-05'].map((day) => ({ ...place, ...how, day }))
  })
  const taken = new Set(spends.map(placeOf))
  const others = world.spends.filter((spend) => !taken.has(placeOf(spend)))
  const all = [...others, ...spends].map((spend, index) => ({ ...spend, id: index + 1 }))
  return { ...world, links, agencyPercentage: 10, spends: all }
}

const placeOf = ({ stream, site, country, day }: Omit<World['spends'][number], 'id'>): string =>
  `${stream} ${site} ${country} ${day}`

function modelsWithIncome({ offers, links, players, reports }: World): Set<number> {
  const earning = new Set(reports.filter(({ income }) => income !== 0).map(({ player }) => player))
  const offersOf = players
    .filter(({ id, isActive }) => isActive && earning.has(id))
    .map(({ link }) => links.find(({ id }) => id === link)?.offer)
  return new Set(offers.filter(({ id }) => offersOf.includes(id)).map(({ model }) => model))
}

/** Waits until the facts have caught up with PostgreSQL. */
async function settle({ postgres }: Services): Promise<void> {
  for (;;) {
    const { rows } = await postgres.pool.query<{ waiting: boolean }>(
      `select exists (select from outbox) or exists (select from click_inbox c left join click_writer w on w.id = c.writer
        where w.loaded_id is null or c.id > w.loaded_id) as waiting`,
    )
    if (rows[0]?.waiting === false) return
    await sleep(200)
  }
}

/** Resolves with a moment before the corrections. The last changes stay in the inbox and the outbox, as when a server stops. */
async function live(services: Services): Promise<string> {
  const { postgres, clickhouse } = services
  const world = chooseWorld()
  const before = beforeCorrections(world)
  await clearWorld(postgres, clickhouse)
  await writeDirectory(postgres, before)
  await writeFormulas(postgres)
  await keepViews(services)
  const facts = await createFactsModule().start?.(services)
  await writeClicks(postgres, { ...world, clicks: world.clicks.slice(LATE_CLICKS) })
  await writePlayers(postgres, before)
  await writeEvents(postgres, world.events.slice(LATE_EVENTS))
  await writeBooks(postgres, before)
  await settle(services)
  await sleep(1000)
  const knownAt = new Date().toISOString()
  await sleep(1000)
  await correctRecord(postgres, world)
  await settle(services)
  await facts?.stop()
  const months = createMonthSummer(services, 0)
  while (await months.sumOnce(Date.parse('2027-06-01')));
  await writeClicks(postgres, { ...world, clicks: world.clicks.slice(0, LATE_CLICKS) })
  await writeEvents(postgres, world.events.slice(0, LATE_EVENTS))
  return knownAt
}

/** Sets sequences as if PostgreSQL had generated the ids. */
async function moveSequences({ postgres }: Services): Promise<void> {
  const { rows } = await postgres.pool.query<{ table: string }>(
    `select quote_ident(c.relname) as table from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'id' and a.attidentity <> ''`,
  )
  for (const { table } of rows)
    await postgres.pool.query(
      `select setval(pg_get_serial_sequence('${table}', 'id'), id) from (select max(id) as id from ${table}) m where id is not null`,
    )
}

async function keepViews({ postgres }: Services): Promise<void> {
  const search = { by: 'month.partner', from: '2026-03-01', to: '2026-04-30', columns: 'nd.s.formula:1', sort: '-nd' }
  const request = {
    filter: { dateFrom: '2026-03-01', dateTo: '2026-04-30', groupBy: 'month', secondGroupBy: 'partner' },
    sort: { by: 'nd', desc: true },
  }
  const state = { search, request, preset: null, comparesPrevious: false, columns: ['nd', 's', 'formula:1'], look: {} }
  await postgres.pool.query(
    `insert into saved_report (report, title, shared, user_id, state) values ('general_report', 'Spring', true, 1, $1)`,
    [JSON.stringify(state)],
  )
  const view = {
    limit: 50,
    order: [{ path: 'id', desc: true }],
    conditions: [],
    columns: { shown: ['id'], widths: {} },
  }
  await postgres.pool.query(
    `insert into saved_view (list, title, shared, user_id, state) values ('offer_partner', 'All links', true, 1, $1)`,
    [JSON.stringify(view)],
  )
}

const lastOf = (folder: string): number => readMigrations(folder).at(-1)?.number ?? 0

async function copyOut(client: Client, table: string, columns: readonly string[]): Promise<string> {
  const chunks: Buffer[] = []
  const sql = `copy (select ${columns.join(', ')} from ${table} t order by t) to stdout`
  for await (const chunk of client.query(to(sql))) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

async function dumpRecord({ postgres }: Services): Promise<FrozenData['postgres']> {
  const { rows: tables } = await postgres.pool.query<{ name: string; columns: string[] }>(
    `select quote_ident(c.relname) as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migration'
      group by c.oid order by c.relname`,
  )
  const { rows: sequences } = await postgres.pool.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public' and last_value is not null
      order by 1`,
  )
  return postgres.withClient(async (client) => {
    const kept: FrozenTable[] = []
    for (const { name, columns } of tables) {
      const text = await copyOut(client, name, columns)
      if (text !== '') kept.push({ name, columns, text })
    }
    return { migration: lastOf(POSTGRES_MIGRATIONS), tables: kept, sequences }
  })
}

async function dumpAnalytics({ clickhouse }: Services): Promise<FrozenData['clickhouse']> {
  const tables = await clickhouse.query<{ name: string }>(
    `select name from system.tables where database = currentDatabase() and name <> 'migration' order by name`,
  )
  const kept: FrozenTable[] = []
  for (const { name } of tables) {
    const { columns, rows } = await clickhouse.table(`select * from ${name} order by all`)
    if (rows.length > 0) kept.push({ name, columns, text: rows.map((row) => JSON.stringify(row)).join('\n') })
  }
  return { migration: lastOf(CLICKHOUSE_MIGRATIONS), tables: kept }
}

const directory = mkdtempSync(join(tmpdir(), 'tributary-freeze-'))
const undo: Undo[] = []
const log = createLog('warn')
try {
  const services = await startServices(loadConfig({ DATA_DIR: directory }), log, [createFactsModule()], undo)
  const knownAt = await live(services)
  await moveSequences(services)
  const data: FrozenData = {
    knownAt,
    postgres: await dumpRecord(services),
    clickhouse: await dumpAnalytics(services),
  }
  const version = `${data.postgres.migration}-${data.clickhouse.migration}`
  const file = join(import.meta.dirname, 'golden', `data-of-${version}.json.gz`)
  const bytes = gzipSync(JSON.stringify(data), { level: 9 })
  writeFileSync(file, bytes)
  log.warn({ file, bytes: bytes.length }, 'the data are kept')
} finally {
  await stopAll(undo, log)
  rmSync(directory, { recursive: true, force: true })
}
