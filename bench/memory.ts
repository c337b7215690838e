// Measures the memory of a tracker under full load with a new visitor for every click, after the first and the last of ten million clicks
// (MEMORY_CLICKS). The maximum varies by a tenth with garbage collection, so the usual memory in the last three tenths, and in the two before
// them, is reported, too. Needs wrk.

import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeDataDirectory } from './data-directory.ts'
import { type Figure, median } from './figure.ts'
import { pin, residentBytes, start } from './pinned.ts'

const CLICKS = Number(process.env.MEMORY_CLICKS ?? 10_000_000)
const SECONDS = 10
const CONNECTIONS = 64
const LOOK_MS = 500
/** Fractions of the run: at FILLED the index of visitors has reached its bounds; memory after LATE is compared with memory then. */
const FILLED = 0.5
const LATE = 0.7

interface Stretch {
  clicks: number
  /** Bytes: the most that the server's process held meanwhile. */
  most: number
}

export async function run(): Promise<Figure[]> {
  const dataDir = makeDataDirectory('bench')
  const env = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', TRUST_PROXY: '1' }
  const server = await start('tracker-server.ts', ['--network'], env)
  try {
    const stretches: Stretch[] = []
    let clicks = 0
    const began = performance.now()
    while (clicks < CLICKS) {
      const { taken, most } = await fire(server.url, clicks, server.process.pid ?? 0)
      clicks += taken
      stretches.push({ clicks, most })
      console.log(`  ${(clicks / 1e6).toFixed(2)} million clicks: ${Math.round(most / 1e6)} MB`)
    }
    const seconds = (performance.now() - began) / 1000
    const mostIn = (from: number, to: number): number[] =>
      stretches.filter((one) => one.clicks > CLICKS * from && one.clicks <= to * CLICKS).map(({ most }) => most)
    const late = mostIn(LATE, Number.POSITIVE_INFINITY)
    return [
      { name: 'memory.clicks_per_second', value: clicks / seconds, unit: '/s' },
      { name: 'memory.most', value: Math.max(...stretches.map(({ most }) => most)) / 1e6, unit: 'MB' },
      { name: 'memory.growth', value: Math.max(...late) / Math.max(...mostIn(0, FILLED)), unit: '×' },
      { name: 'memory.usual_growth', value: median(late) / median(mostIn(FILLED, LATE)), unit: '×' },
    ]
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function fire(url: string, first: number, pid: number): Promise<{ taken: number; most: number }> {
  const script = join(import.meta.dirname, 'visitors.lua')
  const load = ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '-s', script, url, '--', String(first)]
  const [program = '', ...rest] = pin(1, load)
  let most = 0
  const look = setInterval(() => {
    most = Math.max(most, residentBytes(pid))
  }, LOOK_MS)
  try {
    const { stdout } = await promisify(execFile)(program, rest)
    if (/Non-2xx or 3xx/.test(stdout)) throw new Error(`not every request was redirected:\n${stdout}`)
    return { taken: Number(/(\d+) requests in/.exec(stdout)?.[1]), most }
  } finally {
    clearInterval(look)
  }
}
