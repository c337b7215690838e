// Measures many users at once and long files: twenty reports requested at the same moment; twenty users who request, read and request again,
// each wait compared with a single run of the report; and the additional memory while a month of players by day is exported.
// BENCH_SIZE as in reports.ts; the budgets are for 1 (about a million rows).

import { rmSync } from 'node:fs'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { GENERAL_REPORTS } from '@tributary/contract/reports/choices'
import { type GeneralReportInput, generalReportRequest } from '@tributary/contract/reports/general'
import { DIMENSION_NAMES } from '@tributary/contract/reports/traffic'
import { loadConfig } from '../server/src/config.ts'
import { createLog } from '../server/src/lib/log.ts'
import { writeSheet } from '../server/src/lib/sheet.ts'
import { stopAll, type Undo } from '../server/src/lib/undo.ts'
import { exportGeneralReport } from '../server/src/reports/export/general-export.ts'
import { answerGeneralReport } from '../server/src/reports/kinds/general.ts'
import { startServices } from '../server/src/server.ts'
import type { Services } from '../server/src/services.ts'
import { makeDataDirectory } from './data-directory.ts'
import { type Figure, median } from './figure.ts'
import { part, SIZE, seedFacts } from './seed-facts.ts'

const PEOPLE = 20
const ROUNDS = 3
const WORK_MS = 60_000
/** How long a person looks at a report before running the next. */
const READING_MS = { least: 2000, most: 8000 }
const SAMPLE_MS = 25
/** ClickHouse releases unused memory some seconds later. */
const SETTLE_MS = 15_000
const MB = 1024 * 1024
const ADMIN = { role: 'ADMIN', partners: null, language: 'en' } as const
const CURRENCY = `insert into currency (id, title, value) values (1, 'Euro', 'EUR') on conflict do nothing;
  update setting set report_currency_id = 1`

export async function run(): Promise<Figure[]> {
  const dataDir = makeDataDirectory('bench')
  const log = createLog('error')
  const undo: Undo[] = []
  try {
    const services = await startServices(loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }), log, [], undo)
    await services.postgres.pool.query(CURRENCY)
    await seedFacts(services.clickhouse, part(SIZE))
    return [...(await measurePeople(services)), ...(await measureExport(services))]
  } finally {
    await stopAll(undo, log)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Each another grouping of another stretch of days. */
const requests: readonly GeneralReportInput[] = Array.from({ length: PEOPLE }, (_, person) => {
  const groups = DIMENSION_NAMES.filter((name) => name !== 'player_outer_id')
  return {
    filter: {
      groupBy: groups[person % groups.length] ?? 'offer',
      secondGroupBy: groups[(person * 7 + 3) % groups.length] ?? 'off',
      dateFrom: `2026-06-${String(1 + (person % 9)).padStart(2, '0')}`,
      dateTo: '2026-06-30',
    },
  }
})

const ask = async (services: Services, input: GeneralReportInput): Promise<number> => {
  const began = performance.now()
  await answerGeneralReport(generalReportRequest.parse(input), ADMIN, services)
  return performance.now() - began
}

async function measurePeople(services: Services): Promise<Figure[]> {
  const lone: number[][] = requests.map(() => [])
  const together: number[] = []
  const worst: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    for (const [person, request] of requests.entries()) {
      const ms = await ask(services, request)
      if (round >= 0) lone[person]?.push(ms)
    }
    const waits = await Promise.all(requests.map((request) => ask(services, request)))
    // The first round warms all of them up.
    if (round < 0) continue
    const longest = Math.max(...waits)
    together.push(longest)
    worst.push(longest / Math.max(...lone.map((runs) => median(runs))))
  }
  const alone = lone.map((runs) => median(runs))
  return [
    ...(await measureWork(services, alone)),
    { name: 'report_load.lone_ms', value: median(alone), unit: 'ms' },
    { name: 'report_load.longest_wait_ms', value: median(together), unit: 'ms', runs: together },
    // Compares the longest wait with the longest single run.
    { name: 'report_load.wait_ratio', value: median(worst), unit: '×', runs: worst },
  ]
}

/** Compares each run with the single run of the same report. */
async function measureWork(services: Services, alone: readonly number[]): Promise<Figure[]> {
  const shares: number[] = []
  const until = performance.now() + WORK_MS
  const works = requests.map(async (_, person) => {
    for (let turn = 0; performance.now() < until; turn++) {
      await sleep(readingTime(person, turn))
      const place = (person + turn * 7) % PEOPLE
      const [request, ms] = [requests[place], alone[place]]
      if (request !== undefined && ms !== undefined) shares.push((await ask(services, request)) / ms)
    }
  })
  await Promise.all(works)
  const sorted = shares.toSorted((a, b) => a - b)
  return [
    { name: 'report_load.work_reports', value: shares.length, unit: '' },
    { name: 'report_load.work_median_ratio', value: median(shares), unit: '×' },
    { name: 'report_load.work_p95_ratio', value: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN, unit: '×' },
    { name: 'report_load.work_longest_ratio', value: sorted.at(-1) ?? Number.NaN, unit: '×' },
  ]
}

/** Pause that differs by user and turn but is equal in every run of the bench. */
const readingTime = (person: number, turn: number): number =>
  READING_MS.least + ((person * 7919 + turn * 104_729) % (READING_MS.most - READING_MS.least))

async function measureExport(services: Services): Promise<Figure[]> {
  const request = {
    ...generalReportRequest.parse({
      filter: { groupBy: 'player_outer_id', secondGroupBy: 'day', dateFrom: '2026-06-01', dateTo: '2026-06-30' },
    }),
    columns: ['cr', 'nd', 'deposits', 'deposits_amount', 'income', 's'],
  }
  // By then the memory of earlier runs is released.
  await sleep(SETTLE_MS)
  globalThis.gc?.()
  const idle = process.memoryUsage().rss
  let most = idle
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, SAMPLE_MS)
  const began = performance.now()
  const requested = { request, viewer: ADMIN, title: 'bench' }
  const sheet = await exportGeneralReport(requested, services, GENERAL_REPORTS.general_report)
  const progress = { rows: 0 }
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  await pipeline(writeSheet(sheet, 'csv', progress), nowhere)
  const seconds = (performance.now() - began) / 1000
  clearInterval(watch)
  return [
    { name: 'report_load.export_rows', value: progress.rows, unit: 'rows' },
    { name: 'report_load.export_seconds', value: seconds, unit: 's' },
    { name: 'report_load.export_memory', value: (most - idle) / MB, unit: 'MB' },
  ]
}
