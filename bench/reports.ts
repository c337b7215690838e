// The general report against the best hand-written query for the same numbers in ClickHouse, and the same in PostgreSQL with good indexes.
// BENCH_SIZE is the part of the full size (20 M clicks, 1.5 M registrations, 6 M deposits) that is made; the promises are for 1.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GeneralReportInput, generalReportRequest } from '@tributary/contract/reports/general'
import { loadConfig } from '../server/src/config.ts'
import { createMonthSummer } from '../server/src/facts/month-sums.ts'
import { createLog } from '../server/src/lib/log.ts'
import { REPORT_SETTINGS } from '../server/src/reports/compile.ts'
import { answerGeneralReport } from '../server/src/reports/kinds/general.ts'
import { startServices, stopAll, type Undo } from '../server/src/server.ts'
import type { Services } from '../server/src/services.ts'
import { type Figure, median } from './figure.ts'
import { COUNTRIES, FULL, OFFERS, PARTNERS, part, SOURCES, seedFacts } from './seed-facts.ts'

const SIZE = Number(process.env.BENCH_SIZE ?? 1)
const ROUNDS = 7

const MONTH = { from: '2026-06-01', to: '2026-06-30' }
const YEAR = { from: '2025-11-01', to: '2026-10-31' }

interface Case {
  readonly name: string
  readonly period: { from: string; to: string }
  readonly request: GeneralReportInput
  /** PostgreSQL is asked in every so many rounds. */
  readonly postgresEvery: number
  /** Grouping of the hand-written queries, and the day from which a player's first bet counts. */
  readonly keys: string
  readonly start: string
}

const CASES: readonly Case[] = [
  {
    name: 'month',
    postgresEvery: 1,
    period: MONTH,
    request: {
      filter: { groupBy: 'offer', secondGroupBy: 'traffic_source', dateFrom: MONTH.from, dateTo: MONTH.to },
    },
    keys: 'offer_id, traffic_source_id',
    start: `date '${MONTH.from}'`,
  },
  // Every row in one answer, as nobody asks for it: no promise, but told.
  {
    name: 'month_whole',
    postgresEvery: 3,
    period: MONTH,
    request: {
      filter: { groupBy: 'offer', secondGroupBy: 'traffic_source', dateFrom: MONTH.from, dateTo: MONTH.to },
      pagination: { limit: -1 },
    },
    keys: 'offer_id, traffic_source_id',
    start: `date '${MONTH.from}'`,
  },
  {
    name: 'year',
    postgresEvery: 3,
    period: YEAR,
    request: {
      filter: {
        groupBy: 'partner',
        secondGroupBy: 'offer',
        thirdGroupBy: 'traffic_source',
        fourthGroupBy: 'month',
        dateFrom: YEAR.from,
        dateTo: YEAR.to,
      },
    },
    keys: 'partner_id, offer_id, traffic_source_id, month',
    start: `greatest(date '${YEAR.from}', month)`,
  },
]

export async function run(): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
  const log = createLog('error')
  const undo: Undo[] = []
  try {
    const services = await startServices(loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }), log, [], undo)
    await services.postgres.pool.query(DIRECTORY)
    const { clicks, registrations, deposits } = part(SIZE)
    console.log(`  ${clicks} clicks, ${registrations} registrations, ${deposits} deposits`)
    await seedFacts(services.clickhouse, SIZE === 1 ? FULL : part(SIZE))
    await sumMonths(services)
    await copyToPostgres(services, dataDir)
    const figures: Figure[] = []
    for (const one of CASES) figures.push(...(await measure(services, one)))
    return figures
  } finally {
    await stopAll(undo, log)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** As the worker does it a minute after the last fact of a month that is over. */
async function sumMonths({ clickhouse }: Services): Promise<void> {
  const months = createMonthSummer(clickhouse, 0)
  while (await months.sumOnce(Date.now()));
}

async function measure(services: Services, one: Case): Promise<Figure[]> {
  const runs: Record<'engine' | 'hand' | 'postgres', number[]> = { engine: [], hand: [], postgres: [] }
  const cpu: Record<'engine' | 'hand', number[]> = { engine: [], hand: [] }
  const share: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const engine = await time(() => askEngine(services, one.request))
    const hand = await time(() =>
      services.clickhouse.table(handWritten(one), {}, { lane: 'long', settings: REPORT_SETTINGS }),
    )
    const isAsked = round % one.postgresEvery === 0
    const postgres = !isAsked ? null : await time(() => services.postgres.pool.query(inPostgres(one)))
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

/** All that the server does between the request's body and the answer's text. */
async function askEngine(services: Services, request: GeneralReportInput): Promise<string> {
  const answer = await answerGeneralReport(
    generalReportRequest.parse(request),
    { role: 'ADMIN', partners: null, language: 'en' },
    services,
  )
  return JSON.stringify(answer)
}

const SUMS = [
  'clicks',
  'uniques',
  'registrations',
  'first_deposits',
  'deposits_count',
  'deposits',
  'first_day',
  'first_amount',
  'bets',
  'bettors',
  'income',
  'player_spend',
  'entered_spend',
]
const zeros = (count: number): string => Array.from({ length: count }, () => '0').join(', ')

/** Without what only the product needs: totals of the levels above, spend without a place, order, page, titles. */
function handWritten({ keys, start, period }: Case): string {
  const columns = keys.replace('month', 'toStartOfMonth(day) as month')
  const within = `day between '${period.from}' and '${period.to}'`
  return `select ${keys}, ${SUMS.map((name) => `sum(${name}) as ${name}`).join(', ')} from (
    select ${columns}, sum(is_click) as clicks, sum(is_unique) as uniques, 0 as registrations, 0 as first_deposits, 0 as deposits_count,
      0 as deposits, 0 as first_day, 0 as first_amount, 0 as bets, 0 as bettors, 0 as income, 0 as player_spend, 0 as entered_spend
    from click where ${within} group by ${keys}
    union all
    select ${columns}, 0, 0, sum(registrations), sum(first_deposits), sum(deposits_count), sum(deposits), sum(first_day_amount),
      sum(first_amount), sum(bets), countIf(bets > 0 and previous_bet_day < ${start}), sum(income), sum(cpa_spend + rs_spend), 0
    from activity_fact final where is_deleted = 0 and ${within} group by ${keys}
    union all
    select ${columns}, ${zeros(12)}, sum(sum) from spend_fact final where is_deleted = 0 and ${within} group by ${keys}
  ) group by ${keys} order by clicks desc`
}

function inPostgres({ keys, start, period }: Case): string {
  const columns = keys.replace('month', `date_trunc('month', day)::date as month`)
  const within = `day between '${period.from}' and '${period.to}'`
  const first = start.replace('month)', `date_trunc('month', day)::date)`)
  return `select ${keys}, ${SUMS.map((name) => `sum(${name}) as ${name}`).join(', ')} from (
    select ${columns}, sum(is_click) as clicks, sum(is_unique) as uniques, 0 as registrations, 0 as first_deposits, 0 as deposits_count,
      0 as deposits, 0 as first_day, 0 as first_amount, 0 as bets, 0 as bettors, 0 as income, 0 as player_spend, 0 as entered_spend
    from bench_click where ${within} group by ${keys}
    union all
    select ${columns}, 0, 0, sum(registrations), sum(first_deposits), sum(deposits_count), sum(deposits), sum(first_day_amount),
      sum(first_amount), sum(bets), count(*) filter (where bets > 0 and previous_bet_day < ${first}), sum(income), sum(player_spend), 0
    from bench_activity where ${within} group by ${keys}
    union all
    select ${columns}, ${zeros(12)}, sum(sum) from bench_spend where ${within} group by ${keys}
  ) facts group by ${keys} order by clicks desc`
}

/** The same facts, in tables with one covering index each, so that a period reads no table at all. */
async function copyToPostgres({ postgres, clickhouse }: Services, dataDir: string): Promise<void> {
  chmodSync(dataDir, 0o755)
  const keys = 'day, offer_id, partner_id, traffic_source_id'
  const types = 'day date, offer_id int, partner_id int, traffic_source_id int'
  const money = ['deposits', 'first_day_amount', 'first_amount', 'bets', 'income', 'player_spend']
  const tables = [
    {
      name: 'click',
      types: `${types}, is_click int2, is_unique int2`,
      sql: `select ${keys}, is_click, is_unique from click order by day`,
    },
    {
      name: 'activity',
      types: `${types}, registrations int2, first_deposits int2, deposits_count int, ${money.map((column) => `${column} numeric(18, 4)`).join(', ')}, previous_bet_day date`,
      sql: `select ${keys}, registrations, first_deposits, deposits_count, deposits, first_day_amount, first_amount, bets, income, cpa_spend + rs_spend, previous_bet_day
        from activity_fact final where is_deleted = 0 order by day`,
    },
    {
      name: 'spend',
      types: `${types}, sum numeric(18, 4)`,
      sql: `select ${keys}, sum from spend_fact final where is_deleted = 0 order by day`,
    },
  ]
  for (const { name, types, sql } of tables) {
    const file = join(dataDir, `${name}.tsv`)
    await clickhouse.exec(`insert into function file('${file}', 'TabSeparated') ${sql}`, {}, { maxSeconds: 3600 })
    chmodSync(file, 0o644)
    const columns = types.split(', ').flatMap((column) => /^[a-z_]+/.exec(column)?.[0] ?? [])
    await postgres.pool.query(`create table bench_${name} (${types})`)
    await postgres.pool.query(`copy bench_${name} from '${file}'`)
    const rest = columns.filter((column) => column !== 'day' && !column.endsWith(')'))
    await postgres.pool.query(`create index on bench_${name} (day) include (${rest.join(', ')})`)
    await postgres.pool.query(`vacuum analyze bench_${name}`)
    rmSync(file)
  }
}

/** Titles for the groups of the made facts. */
const DIRECTORY = `
  insert into currency (id, title, value) values (1, 'Euro', 'EUR');
  update setting set report_currency_id = 1;
  insert into country (title, code, currency_id) select 'Country ' || n, chr(65 + n / 26) || chr(65 + n % 26), 1 from generate_series(1, ${COUNTRIES}) n;
  insert into traffic_source (title) select 'Source ' || n from generate_series(1, ${SOURCES}) n;
  insert into advertiser (title, default_domain, default_currency_id) values ('Advertiser', 'https://advertiser.example', 1);
  insert into advertiser_country (advertiser_id, country_id) values (1, 1);
  insert into offer (title, advertiser_id, advertiser_country_id, payment_model_id, currency_id, cost)
    select 'Offer ' || n, 1, 1, 1, 1, 50 from generate_series(1, ${OFFERS}) n;
  insert into partner (title) select 'Partner ' || n from generate_series(1, ${PARTNERS}) n;`
