// Clicks beside everything else, with the processes of `npm start`: the slowest redirect in a hundred while nothing else runs, and while twenty
// people run reports, an import of half a million rows and a rebuild go on. And the CPU a click of two trackers, compared with one.
// BENCH_SIZE as in reports.ts (0.05 here: a million clicks); IMPORT_ROWS as in import.ts.

import { createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { DIMENSION_NAMES } from '@tributary/contract/reports/traffic'
import { writeSheet } from '../server/src/lib/sheet.ts'
import { makeDataDirectory } from './data-directory.ts'
import { type Figure, median, sizeOf } from './figure.ts'
import { bring, makeSheet } from './import.ts'
import { cpuMicroseconds } from './pinned.ts'
import { fillProduct, p99, startClickProcess, startProduct, takeQuietWaits } from './product.ts'
import { withRecord } from './record.ts'
import { FULL, part } from './seed-facts.ts'
import { post, signIn } from './whole-server.ts'

const SHARE = sizeOf(FULL.clicks) * 0.05
const PEOPLE = 20
const READING_MS = { least: 2000, most: 8000 }
const PER_SECOND = 500
const WARM_MS = 5000
const ALONE_MS = 20_000
const CPU_ROUNDS = 3
const CPU_MS = 15_000
/** At lower rates the idle work of a process weighs most, and nobody needs a second tracker. */
const CPU_PER_SECOND = 1500

export async function run(): Promise<Figure[]> {
  const dataDir = makeDataDirectory('isolation')
  try {
    await fillProduct(dataDir, part(SHARE))
    const beside = await measureBeside(dataDir)
    return [...beside, ...(await measureTrackers(dataDir))]
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measureBeside(dataDir: string): Promise<Figure[]> {
  const path = join(dataDir, 'report.xlsx')
  await pipeline(writeSheet(makeSheet(), 'xlsx'), createWriteStream(path))
  const product = await startProduct(dataDir, 1)
  const clicks = startClickProcess(product.url, PER_SECOND)
  try {
    const token = await signIn(product.url)
    const before = await takeQuietWaits(clicks, ALONE_MS)
    const people = startPeople(product.url, token)
    await bring(product.url, token, path)
    await rebuild(dataDir)
    const reports = await people.stop()
    const beside = await clicks.takeWaits()
    const after = await takeQuietWaits(clicks, ALONE_MS)
    const quiet = median([p99(before), p99(after)])
    return [
      { name: 'isolation.alone_p99', value: quiet, unit: 'ms', runs: [p99(before), p99(after)] },
      { name: 'isolation.beside_p99', value: p99(beside), unit: 'ms' },
      { name: 'isolation.beside_clicks', value: beside.length, unit: '' },
      { name: 'isolation.beside_reports', value: reports, unit: '' },
      { name: 'isolation.ratio', value: p99(beside) / quiet, unit: '×' },
    ]
  } finally {
    clicks.stop()
    await product.stop()
  }
}

/** Twenty people who run a report, read it and run the next. `stop` resolves with the number of their reports. */
function startPeople(url: string, token: string): { stop(): Promise<number> } {
  let isOver = false
  let reports = 0
  const groups = DIMENSION_NAMES.filter((name) => name !== 'player_outer_id')
  const work = async (person: number): Promise<void> => {
    for (let turn = person; !isOver; turn += 7) {
      const filter = {
        groupBy: groups[turn % groups.length],
        secondGroupBy: groups[(turn * 7 + 3) % groups.length],
        dateFrom: `2026-06-${String(1 + (turn % 9)).padStart(2, '0')}`,
        dateTo: '2026-06-30',
      }
      if (filter.groupBy !== filter.secondGroupBy) {
        await post(url, 'general_report', { filter }, token)
        reports++
      }
      await sleep(READING_MS.least + ((turn * 7919) % (READING_MS.most - READING_MS.least)))
    }
  }
  const works = Array.from({ length: PEOPLE }, (_, person) => work(person))
  return {
    async stop() {
      isOver = true
      await Promise.all(works)
      return reports
    },
  }
}

/** Requests a rebuild of all facts and waits for its end. */
function rebuild(dataDir: string): Promise<void> {
  return withRecord(dataDir, async (record) => {
    const { rows } = await record.query<{ id: number }>(
      `insert into facts_rebuild (reason) values ('bench') returning id`,
    )
    for (;;) {
      const found = await record.query<{ state: string; error: string | null }>(
        'select state, error from facts_rebuild where id = $1',
        [rows[0]?.id],
      )
      if (found.rows[0]?.state === 'done') return
      if (found.rows[0]?.state === 'failed') throw new Error(`the rebuild failed: ${found.rows[0].error}`)
      await sleep(250)
    }
  })
}

/** The CPU of all processes a click, hand-over included, of one tracker and of two in turns. */
async function measureTrackers(dataDir: string): Promise<Figure[]> {
  const costs: Record<1 | 2, number[]> = { 1: [], 2: [] }
  for (let round = 0; round < CPU_ROUNDS; round++) {
    for (const trackers of [1, 2] as const) costs[trackers].push(await cpuOfClick(dataDir, trackers))
  }
  const ratios = costs[2].map((cost, round) => cost / (costs[1][round] ?? Number.NaN))
  return [
    { name: 'isolation.one_tracker_cpu', value: median(costs[1]), unit: 'µs', runs: costs[1] },
    { name: 'isolation.two_trackers_cpu_us', value: median(costs[2]), unit: 'µs', runs: costs[2] },
    { name: 'isolation.two_trackers_cpu', value: median(ratios), unit: '×', runs: ratios },
  ]
}

async function cpuOfClick(dataDir: string, trackers: number): Promise<number> {
  const product = await startProduct(dataDir, trackers)
  const clicks = startClickProcess(product.url, CPU_PER_SECOND)
  try {
    await sleep(WARM_MS)
    await clicks.takeWaits()
    const before = cpuMicroseconds(product)
    await sleep(CPU_MS)
    const { length } = await clicks.takeWaits()
    return (cpuMicroseconds(product) - before) / length
  } finally {
    clicks.stop()
    await product.stop()
  }
}
