// The redirect against bare node:http, each alone on the first core, its load from the other: requests a second, the slowest in a hundred, CPU
// a request (which other work on the machine disturbs least); the slowest in a hundred of a crowd; the memory of 200,000 partner offers, and how soon a
// change of one of them is in force.

import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataDirectory } from './data-directory.ts'
import { type Figure, median } from './figure.ts'
import { cpuMicroseconds, hasTool, pin, type Started, start } from './pinned.ts'

const ROUNDS = 5
const SECONDS = 5
const CONNECTIONS = 64
/** As when a campaign begins: four times as many visitors at once. */
const CROWD = 256
const CROWD_ROUNDS = 3

interface Run {
  perSecond: number
  p99: number
  /** Microseconds of CPU a request, of the process and its children. */
  cpu: number
}

export async function run(): Promise<Figure[]> {
  const dataDir = makeDataDirectory('bench')
  const started: Started[] = []
  const bare: Run[] = []
  const tracker: Run[] = []
  try {
    const offerPartners = await measureOfferPartners(dataDir)
    const reference = await start('bare-server.ts', [], {})
    started.push(reference)
    const server = await start('tracker-server.ts', [], environment(dataDir))
    started.push(server)
    for (let round = -1; round < ROUNDS; round++) {
      const pair = [load(reference, CONNECTIONS), load(server, CONNECTIONS)] as const
      // The first round warms both up.
      if (round < 0) continue
      bare.push(pair[0])
      tracker.push(pair[1])
      console.log(`  round ${round + 1}: bare ${show(pair[0])}; tracker ${show(pair[1])}`)
    }
    const crowd = Array.from({ length: CROWD_ROUNDS }, () => load(server, CROWD))
    console.log(`  of ${CROWD} visitors: ${crowd.map(show).join('; ')}`)
    return summarize(bare, tracker, crowd, offerPartners)
  } finally {
    for (const one of started) await one.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function summarize(
  bare: readonly Run[],
  tracker: readonly Run[],
  crowd: readonly Run[],
  offerPartners: OfferPartners,
): Figure[] {
  const figure = (name: string, unit: string, runs: readonly number[]): Figure => ({
    name,
    unit,
    runs,
    value: median(runs),
  })
  return [
    figure(
      'tracker.bare_requests',
      'req/s',
      bare.map((one) => one.perSecond),
    ),
    figure(
      'tracker.requests',
      'req/s',
      tracker.map((one) => one.perSecond),
    ),
    figure(
      'tracker.ratio',
      '×',
      tracker.map((one, round) => one.perSecond / (bare[round]?.perSecond ?? 1)),
    ),
    figure(
      'tracker.cpu_ratio',
      '×',
      tracker.map((one, round) => (bare[round]?.cpu ?? 1) / one.cpu),
    ),
    figure(
      'tracker.p99',
      'ms',
      tracker.map((one) => one.p99),
    ),
    figure(
      'tracker.bare_p99',
      'ms',
      bare.map((one) => one.p99),
    ),
    figure(
      'tracker.crowd_p99',
      'ms',
      crowd.map((one) => one.p99),
    ),
    { name: 'tracker.links_memory', unit: 'MB', value: offerPartners.memory / 1e6 },
    { name: 'tracker.link_change_slowest', unit: 'ms', value: offerPartners.slowest },
  ]
}

const show = (one: Run): string =>
  `${Math.round(one.perSecond)} req/s, p99 ${one.p99.toFixed(1)} ms, ${one.cpu.toFixed(1)} µs CPU`

const environment = (dataDir: string): Record<string, string> => ({
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'error',
  TRUST_PROXY: '1',
})

interface OfferPartners {
  memory: number
  /** Milliseconds from the commit of a change until both of two indexes have it. */
  slowest: number
}

async function measureOfferPartners(dataDir: string): Promise<OfferPartners> {
  const server = await start('tracker-server.ts', ['--network', '--links'], environment(dataDir), ['--expose-gc'])
  await server.stop()
  const printed = (name: string): number => Number(new RegExp(`^${name} ([\\d.]+)$`, 'm').exec(server.output)?.[1])
  return { memory: printed('memory'), slowest: printed('slowest') }
}

function load(server: Started, connections: number): Run {
  const before = cpuMicroseconds(server)
  const tool = hasTool('wrk') ? loadByWrk : loadByAutocannon
  const { requests, perSecond, p99 } = tool(server.url, connections)
  return { perSecond, p99, cpu: (cpuMicroseconds(server) - before) / requests }
}

type Load = Omit<Run, 'cpu'> & { requests: number }

function loadByWrk(url: string, connections: number): Load {
  const script = join(import.meta.dirname, 'clicks.lua')
  const [program = '', ...rest] = pin(1, [
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${SECONDS}s`,
    '--latency',
    '-s',
    script,
    url,
  ])
  const text = execFileSync(program, rest, { encoding: 'utf8' })
  if (/Non-2xx or 3xx/.test(text)) throw new Error(`not every request was redirected:\n${text}`)
  return {
    requests: Number(/(\d+) requests in/.exec(text)?.[1]),
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]),
    p99: milliseconds(/99%\s+([\d.]+)(us|ms|s)/.exec(text)),
  }
}

/** Where there is no wrk: every visitor is the same one, and the load itself takes more of its core. */
function loadByAutocannon(url: string, connections: number): Load {
  const headers = [
    '-H',
    'User-Agent=Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/126.0.0.0',
    '-H',
    'X-Forwarded-For=8.8.8.8',
  ]
  const path = `${url}/c/0b0e0b0e-0000-4000-8000-000000000001?sub_id=s1&click_id=pc1`
  const tool = join(import.meta.dirname, '../node_modules/.bin/autocannon')
  const command = [tool, '-j', '-c', String(connections), '-d', String(SECONDS), ...headers, path]
  const [program = '', ...rest] = pin(1, command)
  const result: AutocannonResult = JSON.parse(
    execFileSync(program, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  )
  if (result['3xx'] !== result.requests.total) throw new Error('not every request was redirected')
  return { requests: result.requests.total, perSecond: result.requests.average, p99: result.latency.p99 }
}

interface AutocannonResult {
  '3xx': number
  requests: { total: number; average: number }
  latency: { p99: number }
}

function milliseconds(match: RegExpExecArray | null): number {
  const value = Number(match?.[1])
  return match?.[2] === 'us' ? value / 1000 : match?.[2] === 's' ? value * 1000 : value
}
