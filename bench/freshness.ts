// Measures how long after its 302 a click appears in the general report under a steady load. It sends marked clicks among the others and
// polls the report for each. The whole product runs in one process with its databases, as with `npm start`.

import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDataDirectory } from './data-directory.ts'
import type { Figure } from './figure.ts'
import { LINK } from './network.ts'
import { CHROME, startClicks } from './steady-clicks.ts'
import { post, signIn, startWhole } from './whole-server.ts'

const PER_SECOND = 5000
const CONNECTIONS = 128
const WARM_MS = 5000
const PROBES = 60
const BETWEEN_MS = 500
/** Interval at which the report is polled for a click. */
const LOOK_MS = 50
const LATE_MS = 30_000
const DAY_MS = 86_400_000

export async function run(): Promise<Figure[]> {
  const dataDir = makeDataDirectory('freshness')
  const server = await startWhole(dataDir)
  const load = startClicks(server.url, { perSecond: PER_SECOND, connections: CONNECTIONS })
  try {
    const token = await signIn(server.url)
    await sleep(WARM_MS)
    const before = { clicks: load.answered(), at: performance.now() }
    const delays: number[] = []
    for (let probe = 0; probe < PROBES; probe++) {
      delays.push(await measure(server.url, token, `probe-${probe}`))
      await sleep(BETWEEN_MS)
    }
    const rate = ((load.answered() - before.clicks) / (performance.now() - before.at)) * 1000
    const sorted = delays.toSorted((a, b) => a - b)
    const at = (share: number): number => (sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN) / 1000
    return [
      { name: 'freshness.clicks', value: rate, unit: 'a second' },
      { name: 'freshness.median', value: at(0.5), unit: 's', runs: delays },
      { name: 'freshness.p95', value: at(0.95), unit: 's' },
    ]
  } finally {
    await load.stop()
    server.process.kill('SIGINT')
    if (server.process.exitCode === null) await once(server.process, 'exit')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Milliseconds from the answer to the click until the report has it. */
async function measure(url: string, token: string, mark: string): Promise<number> {
  const clicked = await fetch(`${url}/c/${LINK}?sub_id=${mark}`, {
    redirect: 'manual',
    headers: { 'user-agent': CHROME },
  })
  const answered = performance.now()
  if (clicked.status !== 302) throw new Error(`a click was answered ${clicked.status}`)
  const day = (ms: number): string => new Date(Date.now() + ms).toISOString().slice(0, 10)
  const filter = { groupBy: 'offer', subId: [mark], dateFrom: day(-DAY_MS), dateTo: day(DAY_MS) }
  while (performance.now() - answered < LATE_MS) {
    const { total } = await post<{ total: { cc: number } }>(url, 'general_report', { filter }, token)
    if (total.cc === 1) return performance.now() - answered
    await sleep(LOOK_MS)
  }
  throw new Error(`${mark} is not in the report after ${LATE_MS / 1000} s`)
}
