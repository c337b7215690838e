// Measures inbound postbacks per second (each a new player), and outbound ones to a healthy partner while a hundred others hang. First
// PostgreSQL shares the first core with the server; then it moves to the second, to the load. TRAFFIC_SECONDS and TRAFFIC_CALLS set the
// sizes.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { loadConfig } from '../server/src/config.ts'
import { createLog } from '../server/src/lib/log.ts'
import { stopAll, type Undo } from '../server/src/lib/undo.ts'
import type { Postgres } from '../server/src/postgres/client.ts'
import { startServices } from '../server/src/server.ts'
import { startPostbackSender } from '../server/src/tracker/postbacks/postback-sender.ts'
import { makeDataDirectory } from './data-directory.ts'
import { type Figure, median } from './figure.ts'
import { cpuMicroseconds, hasTool, movePostgres, pin, postgresCpuMicroseconds, type Started, start } from './pinned.ts'

const SECONDS = Number(process.env.TRAFFIC_SECONDS ?? 5)
const BARE_SECONDS = 2
const ROUNDS = 3
const CALLS = Number(process.env.TRAFFIC_CALLS ?? 10_000)
const CONNECTIONS = 256
const HANGING_PARTNERS = 100
const WAITING_EACH = 20

export async function run(): Promise<Figure[]> {
  const dataDir = makeDataDirectory('bench')
  try {
    return [...(await measureInbound(join(dataDir, 'in'))), ...(await measureOutbound(join(dataDir, 'out')))]
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface Round {
  perSecond: number
  /** Relative to the rate of bare node:http on the same core just before. */
  ratio: number
  /** CPU time per postback in microseconds. */
  server: number
  postgres: number
}

async function measureInbound(dataDir: string): Promise<Figure[]> {
  const started = [await start('bare-server.ts', [], {})]
  try {
    const [bare] = started as [Started]
    const server = await start('postback-server.ts', [], { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' })
    started.push(server)
    // The first round warms up.
    await measureRounds(server, bare, 1)
    const together = await measureRounds(server, bare, ROUNDS)
    movePostgres(server, 1)
    const apart = await measureRounds(server, bare, ROUNDS)
    return [
      figure('traffic.postbacks_in_per_second', '/s', apart, 'perSecond'),
      figure('traffic.postbacks_in_ratio', '×', apart, 'ratio'),
      figure('traffic.postbacks_in_server_cpu', 'µs', apart, 'server'),
      figure('traffic.postbacks_in_postgres_cpu', 'µs', apart, 'postgres'),
      figure('traffic.postbacks_in_one_core_for_all', '/s', together, 'perSecond'),
      figure('traffic.postbacks_in_one_core_for_all_ratio', '×', together, 'ratio'),
    ]
  } finally {
    for (const one of started) await one.stop()
  }
}

function figure(name: string, unit: string, measured: readonly Round[], of: keyof Round): Figure {
  const runs = measured.map((one) => one[of])
  return { name, unit, runs, value: median(runs) }
}

async function measureRounds(server: Started, bare: Started, count: number): Promise<Round[]> {
  const measured: Round[] = []
  for (let round = 0; round < count; round++) {
    const reference = await loadBare(bare.url)
    const before = [cpuMicroseconds(server), postgresCpuMicroseconds(server)] as const
    const { taken, perSecond } = await (hasTool('wrk') ? sendByWrk(server.url) : sendByNode(server.url))
    const postgres = postgresCpuMicroseconds(server) - before[1]
    const all = cpuMicroseconds(server) - before[0]
    const one = {
      perSecond,
      ratio: perSecond / reference,
      server: (all - postgres) / taken,
      postgres: postgres / taken,
    }
    console.log(
      `  bare ${Math.round(reference)}/s; postbacks ${Math.round(perSecond)}/s, ${Math.round(one.server)} µs CPU and PostgreSQL's ${Math.round(one.postgres)}`,
    )
    measured.push(one)
  }
  return measured
}

/** Requests a second. */
async function loadBare(url: string): Promise<number> {
  if (hasTool('wrk')) {
    const text = await runOnSecond(['wrk', '-t1', `-c${CONNECTIONS}`, `-d${BARE_SECONDS}s`, url])
    return Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1])
  }
  const tool = join(import.meta.dirname, '../node_modules/.bin/autocannon')
  const result: { requests: { average: number } } = JSON.parse(
    await runOnSecond([tool, '-j', '-c', String(CONNECTIONS), '-d', String(BARE_SECONDS), url]),
  )
  return result.requests.average
}

async function sendByWrk(url: string): Promise<{ taken: number; perSecond: number }> {
  const script = join(import.meta.dirname, 'postbacks.lua')
  const text = await runOnSecond([
    'wrk',
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${SECONDS}s`,
    '--timeout',
    '10s',
    '-s',
    script,
    url,
  ])
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(`not every postback was taken:\n${text}`)
  return {
    taken: Number(/(\d+) requests in/.exec(text)?.[1]),
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]),
  }
}

/** Without wrk the load itself needs more CPU time. */
async function sendByNode(url: string): Promise<{ taken: number; perSecond: number }> {
  const tool = join(import.meta.dirname, 'postback-load.ts')
  const text = await runOnSecond([process.execPath, tool, url, String(CONNECTIONS), String(SECONDS)])
  const { sent, taken, seconds }: { sent: number; taken: number; seconds: number } = JSON.parse(text)
  if (taken !== sent) throw new Error(`${sent - taken} of ${sent} postbacks were not taken`)
  return { taken, perSecond: taken / seconds }
}

async function runOnSecond(command: readonly string[]): Promise<string> {
  const [program = '', ...args] = pin(1, command)
  return (await promisify(execFile)(program, args)).stdout
}

async function measureOutbound(dataDir: string): Promise<Figure[]> {
  const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' })
  const log = createLog(config.logLevel)
  const undo: Undo[] = []
  try {
    const { postgres } = await startServices(config, log, [], undo)
    const sent = await sendBesideHanging(postgres.pool, config.secret)
    return [{ name: 'traffic.postbacks_out_per_second_beside_hanging', value: sent, unit: '/s' }]
  } finally {
    await stopAll(undo, log)
  }
}

async function sendBesideHanging(pool: Postgres['pool'], secret: string): Promise<number> {
  const log = createLog('error')
  const healthy = await listen((_, response) => response.end('ok'))
  const hanging = await Promise.all(Array.from({ length: HANGING_PARTNERS }, () => listen(() => undefined)))
  const fill = (url: string, calls: number) =>
    pool.query(
      `insert into postback (direction, status, method, url, event_type, next_attempt_at)
        select 'out', 'pending', 'GET', $1 || n, 'reg', now() from generate_series(1, $2::int) n`,
      [`${url}/?n=`, calls],
    )
  for (const one of hanging) await fill(one.url, WAITING_EACH)
  await fill(healthy.url, CALLS)
  const began = performance.now()
  const sender = startPostbackSender({ pool, log, allowsPrivateTargets: true, secret, timeoutMs: 2000 })
  const left = `select count(*)::int as left from postback where status = 'pending' and host = $1`
  for (;;) {
    const { rows } = await pool.query<{ left: number }>(left, [new URL(healthy.url).host])
    if (rows[0]?.left === 0) break
    await sleep(50)
  }
  const seconds = (performance.now() - began) / 1000
  await sender.stop()
  for (const { http } of [healthy, ...hanging]) {
    http.closeAllConnections()
    http.close()
  }
  return CALLS / seconds
}

interface Listening {
  http: Server
  url: string
}

async function listen(answer: RequestListener): Promise<Listening> {
  const http = createServer(answer).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const address = http.address()
  return { http, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
}
