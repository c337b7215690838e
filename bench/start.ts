// Measures the start: seconds from the start on an empty folder until the demo network with its year of history
// is ready, and the memory of all its processes then (a page that several share counts once, in equal parts).

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDataDirectory } from './data-directory.ts'
import { type Figure, median } from './figure.ts'

const ROUNDS = 3
const LIMIT_MS = 300_000
/** Time until live traffic, merges and checkpoints run at their usual pace. */
const SETTLE_MS = 20_000
const MAIN = join(import.meta.dirname, '../demo/main.ts')

interface Run {
  seconds: number
  megabytes: number
}

export async function run(): Promise<Figure[]> {
  const runs: Run[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const one = await startOnce()
    console.log(`  round ${round + 1}: ready in ${one.seconds.toFixed(1)} s, ${Math.round(one.megabytes)} MB`)
    runs.push(one)
  }
  const figure = (name: string, unit: string, values: readonly number[]): Figure => ({
    name,
    unit,
    runs: values,
    value: median(values),
  })
  return [
    figure(
      'start.demo_ready',
      's',
      runs.map(({ seconds }) => seconds),
    ),
    figure(
      'start.memory',
      'MB',
      runs.map(({ megabytes }) => megabytes),
    ),
  ]
}

async function startOnce(): Promise<Run> {
  const dataDir = makeDataDirectory('start')
  const began = performance.now()
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await untilReady(child)
    const seconds = (performance.now() - began) / 1000
    await sleep(SETTLE_MS)
    const { pid } = child
    return { seconds, megabytes: pid === undefined ? Number.NaN : memoryOf(pid) / 1024 }
  } finally {
    child.kill('SIGINT')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function untilReady(child: ChildProcess): Promise<void> {
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const deadline = performance.now() + LIMIT_MS
  while (!/^ *Code +\d{6}/m.test(output)) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`the demo is not ready:\n${output}`)
    await sleep(50)
  }
}

/** Kilobytes of a process and all that it has started. */
function memoryOf(pid: number): number {
  const own = /^Pss: +(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + memoryOf(Number(child)), Number(own))
}

/** A process may end while it is looked at. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
