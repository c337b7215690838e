// The redirect against bare node:http, each alone on the first core, its load from the other: requests a second, the slowest in a hundred, CPU
// a request (which other work on the machine disturbs least), and the memory of 200,000 links.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Figure, median } from './figure.ts'

const ROUNDS = 5
const SECONDS = 5
const CONNECTIONS = 64
const TICK_US = 10_000

interface Started {
  process: ChildProcess
  url: string
  output: string
  stop(): Promise<void>
}

interface Run {
  perSecond: number
  p99: number
  /** Microseconds of CPU a request, of the process and its children. */
  cpu: number
}

export async function run(): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
  const started: Started[] = []
  const bare: Run[] = []
  const tracker: Run[] = []
  try {
    const memory = await measureMemory(dataDir)
    const reference = await start('bare-server.ts', [], {})
    started.push(reference)
    const server = await start('tracker-server.ts', [], environment(dataDir))
    started.push(server)
    for (let round = -1; round < ROUNDS; round++) {
      const pair = [load(reference), load(server)] as const
      // The first round warms both up.
      if (round < 0) continue
      bare.push(pair[0])
      tracker.push(pair[1])
      console.log(`  round ${round + 1}: bare ${show(pair[0])}; tracker ${show(pair[1])}`)
    }
    return summarize(bare, tracker, memory)
  } finally {
    for (const one of started) await one.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function summarize(bare: readonly Run[], tracker: readonly Run[], memory: number): Figure[] {
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
    { name: 'tracker.links_memory', unit: 'MB', value: memory / 1e6 },
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

async function measureMemory(dataDir: string): Promise<number> {
  const server = await start('tracker-server.ts', ['--network', '--links'], environment(dataDir), ['--expose-gc'])
  await server.stop()
  return Number(/^memory (\d+)$/m.exec(server.output)?.[1])
}

/** On the first core, PostgreSQL included. */
async function start(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  nodeArgs: readonly string[] = [],
): Promise<Started> {
  const command = [process.execPath, ...nodeArgs, join(import.meta.dirname, file), ...args]
  const [program = '', ...rest] = pin(0, command)
  const child = spawn(program, rest, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  const started: Started = {
    process: child,
    url: '',
    output: '',
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
  child.stdout.on('data', (chunk: Buffer) => (started.output += chunk.toString()))
  while (started.url === '') {
    if (child.exitCode !== null) throw new Error(`${file} has ended:\n${started.output}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    started.url = /^ready (\S+)$/m.exec(started.output)?.[1] ?? ''
  }
  return started
}

/** With one core there is nothing to pin. */
const pin = (core: number, command: readonly string[]): readonly string[] =>
  availableParallelism() > 1 && hasTool('taskset') ? ['taskset', '-c', String(core), ...command] : command

function load(server: Started): Run {
  const before = cpuOf(server)
  const { requests, perSecond, p99 } = hasTool('wrk') ? loadByWrk(server.url) : loadByAutocannon(server.url)
  return { perSecond, p99, cpu: (cpuOf(server) - before) / requests }
}

type Load = Omit<Run, 'cpu'> & { requests: number }

function loadByWrk(url: string): Load {
  const script = join(import.meta.dirname, 'clicks.lua')
  const [program = '', ...rest] = pin(1, [
    'wrk',
    '-t1',
    `-c${CONNECTIONS}`,
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
function loadByAutocannon(url: string): Load {
  const headers = [
    '-H',
    'User-Agent=Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/126.0.0.0',
    '-H',
    'X-Forwarded-For=8.8.8.8',
  ]
  const path = `${url}/c/0b0e0b0e-0000-4000-8000-000000000001?sub_id=s1&click_id=pc1`
  const tool = join(import.meta.dirname, '../node_modules/.bin/autocannon')
  const command = [tool, '-j', '-c', String(CONNECTIONS), '-d', String(SECONDS), ...headers, path]
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

/** Microseconds that the process and all below it have used so far. */
function cpuOf(server: Started): number {
  const parents = new Map<number, { parent: number; ticks: number }>()
  for (const name of readdirSync('/proc')) {
    const fields = /^\d+$/.test(name) ? readStat(name) : undefined
    if (fields !== undefined) parents.set(Number(name), fields)
  }
  const isBelow = (pid: number): boolean =>
    pid === server.process.pid || (parents.has(pid) && isBelow(parents.get(pid)?.parent ?? 0))
  return [...parents].filter(([pid]) => isBelow(pid)).reduce((sum, [, { ticks }]) => sum + ticks * TICK_US, 0)
}

function readStat(name: string): { parent: number; ticks: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch {
    return undefined
  }
}

function hasTool(name: string): boolean {
  try {
    execFileSync('which', [name], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
