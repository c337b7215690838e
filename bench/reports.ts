// Compares reports with the best hand-written query for the same numbers in ClickHouse and in PostgreSQL with good indexes.
// BENCH_SIZE is the fraction of the full size (20 M clicks, 1.5 M registrations, 6 M deposits); the budgets are for 1.

import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../server/src/config.ts'
import { createLog } from '../server/src/lib/log.ts'
import { stopAll, type Undo } from '../server/src/lib/undo.ts'
import { REPORT_SETTINGS } from '../server/src/reports/engine/run-statement.ts'
import { startServices } from '../server/src/server.ts'
import type { Services } from '../server/src/services.ts'
import { makeDataDirectory } from './data-directory.ts'
import { type Figure, median } from './figure.ts'
import { type Case, casesOf } from './report-cases.ts'
import { DIRECTORY, sumMonths } from './report-ground.ts'
import { part, SIZE, seedFacts } from './seed-facts.ts'

const ROUNDS = 7

export async function run(): Promise<Figure[]> {
  const dataDir = makeDataDirectory('bench')
  const log = createLog('error')
  const undo: Undo[] = []
  try {
    const services = await startServices(loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }), log, [], undo)
    await services.postgres.pool.query(DIRECTORY)
    const { clicks, registrations, deposits } = part(SIZE)
    console.log(`  ${clicks} clicks, ${registrations} registrations, ${deposits} deposits`)
    await seedFacts(services.clickhouse, part(SIZE))
    await sumMonths(services)
    await copyToPostgres(services, dataDir)
    const figures: Figure[] = []
    for (const one of await casesOf(services.clickhouse)) figures.push(...(await measure(services, one)))
    return figures
  } finally {
    await stopAll(undo, log)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measure(services: Services, one: Case): Promise<Figure[]> {
  const runs: Record<'engine' | 'hand' | 'postgres', number[]> = { engine: [], hand: [], postgres: [] }
  const cpu: Record<'engine' | 'hand', number[]> = { engine: [], hand: [] }
  const share: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const engine = await time(() => one.ask(services))
    const hand = await time(() => services.clickhouse.table(one.hand, {}, { lane: 'long', settings: REPORT_SETTINGS }))
    const isAsked = round % one.postgresEvery === 0
    const postgres = !isAsked ? null : await time(() => services.postgres.pool.query(one.postgres))
    // The first round warms all of them up.
    if (round < 0) continue
    runs.engine.push(engine.ms)
    runs.hand.push(hand.ms)
    cpu.engine.push(engine.cpu)
    cpu.hand.push(hand.cpu)
    if (postgres !== null) {
      runs.postgres.push(postgres.ms)
      share.push(engine.ms / postgres.ms)
    }
  }
  const figure = (name: string, unit: string, list: readonly number[]): Figure => ({
    name: `reports.${one.name}_${name}`,
    unit,
    runs: list,
    value: median(list),
  })
  return [
    figure('ms', 'ms', runs.engine),
    figure('hand_ms', 'ms', runs.hand),
    figure('postgres_ms', 'ms', runs.postgres),
    figure(
      'ratio',
      '×',
      runs.engine.map((ms, round) => ms / (runs.hand[round] ?? 1)),
    ),
    figure(
      'cpu_ratio',
      '×',
      cpu.engine.map((ms, round) => ms / (cpu.hand[round] ?? 1)),
    ),
    figure('of_postgres', '×', share),
  ]
}

async function time(work: () => Promise<unknown>): Promise<{ ms: number; cpu: number }> {
  const [began, used] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(used)
  return { ms: performance.now() - began, cpu: (user + system) / 1000 }
}

/** The same facts, in tables with a covering index for each kind of question, so that none reads the table itself. */
async function copyToPostgres({ postgres, clickhouse }: Services, dataDir: string): Promise<void> {
  const keys = 'day, offer_id, partner_id, traffic_source_id, country_id'
  const types = 'day date, offer_id int, partner_id int, traffic_source_id int, country_id int'
  const money = ['deposits', 'first_day_amount', 'first_amount', 'bets', 'income', 'player_spend']
  const ofPartner = 'partner_id, country_id, day'
  const tables = [
    {
      name: 'click',
      types: `${types}, is_click int2, is_unique int2`,
      sql: `select ${keys}, is_click, is_unique from click order by day`,
      indexes: ['day', ofPartner],
    },
    {
      name: 'activity',
      types: `${types}, player_id int, registered_day date, registrations int2, first_deposits int2, deposits_count int, ${money.map((column) => `${column} numeric(18, 4)`).join(', ')}, previous_bet_day date`,
      sql: `select ${keys}, player_id, registered_day, registrations, first_deposits, deposits_count, deposits, first_day_amount, first_amount, bets, income, cpa_spend + rs_spend, previous_bet_day
        from activity_fact final where is_deleted = 0 order by day`,
      indexes: ['day', ofPartner, 'registered_day'],
    },
    {
      name: 'spend',
      types: `${types}, sum numeric(18, 4)`,
      sql: `select ${keys}, sum from spend_fact final where is_deleted = 0 order by day`,
      indexes: ['day', ofPartner],
    },
  ]
  for (const { name, types, sql, indexes } of tables) {
    const file = join(dataDir, `${name}.tsv`)
    await clickhouse.exec(`insert into function file('${file}', 'TabSeparated') ${sql}`, {}, { maxSeconds: 3600 })
    chmodSync(file, 0o644)
    const columns = types.split(', ').flatMap((column) => /^[a-z_]+/.exec(column)?.[0] ?? [])
    await postgres.pool.query(`create table bench_${name} (${types})`)
    await postgres.pool.query(`copy bench_${name} from '${file}'`)
    for (const index of indexes) {
      const ordered = index.split(', ')
      const rest = columns.filter((column) => !ordered.includes(column) && !column.endsWith(')'))
      await postgres.pool.query(`create index on bench_${name} (${index}) include (${rest.join(', ')})`)
    }
    await postgres.pool.query(`vacuum analyze bench_${name}`)
    rmSync(file)
  }
}
