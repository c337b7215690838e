// One installation that lives through many faults: with its own engines, or with a PostgreSQL and a ClickHouse outside of it.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { createLog } from '../../src/lib/log.ts'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { findPostmaster, isProcess } from '../../src/postgres/postmaster.ts'
import { atEndOfFile } from '../support/cleanup.ts'
import { type ClickhouseProcess, startClickhouseProcess } from '../support/clickhouse-process.ts'
import { childrenOf, openRecord } from '../support/crash-engine.ts'
import { ADMIN_ENV } from '../support/crash-report.ts'
import { makeDirectory } from '../support/harness.ts'
import { type ServerProcess, startTestServer } from '../support/server-process.ts'
import { type Disk, makeDisk } from './disk.ts'
import { type CuttingProxy, startCuttingProxy } from './proxy.ts'

export type Engines = 'own' | 'external'
export type ProcessKind = 'supervisor' | 'tracker' | 'app' | 'postmaster' | 'back-end'

export interface Installation {
  readonly engines: Engines
  server: ServerProcess
  readonly disk: Disk
  readonly env: Readonly<Record<string, string>>
  readonly proxy: CuttingProxy | undefined
  readonly clickhouse: ClickhouseProcess | undefined
  /** Folder of ClickHouse's files. */
  readonly clickhouseFolder: string
  /** Milliseconds by which the product's clock is shifted. */
  clockShift: number
  pids(kind: ProcessKind): number[]
  /** A connection to the record that no proxy cuts. */
  openRecord(): Promise<Client>
  /** Starts the server again if it has ended, and waits until it is ready. */
  revive(): Promise<void>
  setClock(shift: number): void
  /** False once the server's first process has ended. */
  isAlive(): boolean
}

const CLOCK = join(import.meta.dirname, '../support/clock-shift.ts')
const READY_MS = 180_000

export async function makeInstallation(engines: Engines): Promise<Installation> {
  const disk = makeDisk()
  const dataDir = join(disk.path, 'data')
  mkdirSync(dataDir, { mode: 0o755 })
  const clockFile = join(makeDirectory(), 'shift')
  writeFileSync(clockFile, '0')
  const shared = {
    ...ADMIN_ENV,
    ...{ TRUST_PROXY: '1', LOG_LEVEL: 'warn', ALLOW_PRIVATE_TARGETS: '1', TRACKERS: '2' },
    ...{ BACKUP_PASSPHRASE: 'a passphrase of some length' },
    ...{ CLOCK_SHIFT_FILE: clockFile, NODE_OPTIONS: `--import ${CLOCK}` },
  }
  const outside = engines === 'external' ? await startEngines(disk) : undefined
  const env = { ...shared, ...outside?.env }
  const findData = (): string => outside?.data ?? join(dataDir, 'postgres', 'data')
  const postmaster = (): number => findPostmaster(findData())?.pid ?? 0
  const installation: Installation = {
    engines,
    server: await startTestServer({ env, dataDir }),
    disk,
    env,
    proxy: outside?.proxy,
    clickhouse: outside?.clickhouse,
    clickhouseFolder: outside?.clickhouse.directory ?? join(dataDir, 'clickhouse'),
    clockShift: 0,
    pids: (kind) => pidsOf(installation.server.pid, postmaster(), kind),
    openRecord: () => (outside === undefined ? openRecord(dataDir) : connect(outside.url)),
    async revive() {
      const { server } = installation
      if (await hasEnded(server)) installation.server = await startTestServer({ env, dataDir })
      await awaitReady(installation)
    },
    setClock(shift) {
      writeFileSync(clockFile, String(shift))
      installation.clockShift = shift
    },
    isAlive: () => isProcess(installation.server.pid),
  }
  return installation
}

async function startEngines(disk: Disk) {
  const home = join(disk.path, 'engines')
  mkdirSync(home, { mode: 0o755 })
  const postgres = await startEmbeddedPostgres(home, createLog('fatal'))
  atEndOfFile(() => postgres.stop())
  const address = new URL(postgres.url)
  const proxy = await startCuttingProxy(() => Number(address.port))
  const clickhouse = await startClickhouseProcess()
  const through = new URL(postgres.url)
  through.port = String(proxy.port)
  // It names the socket file, which no proxy is in front of.
  through.search = ''
  return {
    url: postgres.url,
    data: join(home, 'postgres', 'data'),
    proxy,
    clickhouse,
    env: { DATABASE_URL: through.href, CLICKHOUSE_URL: clickhouse.url },
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client(url)
  client.on('error', () => undefined)
  await client.connect()
  return client
}

function pidsOf(supervisor: number, postmaster: number, kind: ProcessKind): number[] {
  if (kind === 'supervisor') return [supervisor]
  if (kind === 'postmaster') return [postmaster].filter((pid) => pid > 0)
  if (kind === 'back-end') return postmaster === 0 ? [] : childrenIfAlive(postmaster)
  return childrenIfAlive(supervisor).filter((pid) => commandOf(pid).includes(`${kind}-process`))
}

function childrenIfAlive(pid: number): number[] {
  try {
    return childrenOf(pid)
  } catch {
    return []
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

const hasEnded = ({ exited }: ServerProcess): Promise<boolean> =>
  Promise.race([exited.then(() => true), sleep(20).then(() => false)])

async function awaitReady(installation: Installation): Promise<void> {
  const { server } = installation
  const deadline = Date.now() + READY_MS
  let last = ''
  while (Date.now() < deadline) {
    if (await hasEnded(server)) throw new Error(`the server ended by itself:\n${server.output().slice(-4000)}`)
    const answer = await fetch(`${server.url}/health/ready`, { signal: AbortSignal.timeout(10_000) }).catch(
      () => undefined,
    )
    if (answer?.status === 200) return
    last = answer === undefined ? 'no answer' : `${answer.status} ${await answer.text().catch(() => '')}`
    await sleep(100)
  }
  throw new Error(`the server does not get ready (${last}):\n${server.output().slice(-4000)}`)
}
