// Runs PostgreSQL as a child process with its files under DATA_DIR. It survives a killed server and is taken over by the next start.
// It listens on 127.0.0.1 and a socket file; the password is in DATA_DIR. The caller holds the lock of DATA_DIR.

import { spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { platform } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { environmentWith, readOrCreateSecret } from '../config.ts'
import { StartError, textOf } from '../lib/app-error.ts'
import type { Logger } from '../lib/log.ts'
import { type Binaries, findPackagedBinaries, placeBinaries } from './binaries.ts'
import { OPEN_DIRECTORY, own, prepareClusterHome } from './cluster-home.ts'
import { chooseUser, type OperatingUser } from './operating-user.ts'
import { endPostmaster, findPostmaster, isProcess, type ServerAddress, waitUntilReady } from './postmaster.ts'

/** A running embedded PostgreSQL. */
export interface EmbeddedPostgres {
  /** Stays the same when PostgreSQL is restarted. */
  url: string
  /** True if a PostgreSQL left by a killed server was taken over. */
  attached: boolean
  pid(): number
  stop(): Promise<void>
}

/** How the embedded PostgreSQL is started; tests use other values. */
export interface EmbeddedOptions {
  /** Server settings that override the defaults below. */
  settings?: Record<string, string>
  /** A free port by default. */
  port?: number
  /** Folder for files that PostgreSQL's user could not reach otherwise. */
  openDirectory?: string
  /** Programs of the installed package by default. */
  binaries?: Binaries
}

const USER = 'tributary'
const START_SECONDS = 60
const STOP_SECONDS = 20
const WATCH_MS = 500
/** Between two attempts to start PostgreSQL again, because each that fails writes a line to the log. */
const RETRY_MS = 1000
const LOG_BYTES = 10_000_000

/** For a small machine: the whole product stays below 1.5 GB. Commits are durable. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  // In memory or on an SSD, random pages cost hardly more than sequential ones.
  random_page_cost: '1.1',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '1GB',
  // Segments are used again and never removed: a new one is filled with zeros inside somebody's commit, which took a click 150 ms.
  min_wal_size: '1GB',
  wal_compression: 'on',
  jit: 'off',
  max_parallel_workers_per_gather: '1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
}

/** Bytes of freed memory that the C library keeps for a backend's next statement, instead of returning and faulting them in again. */
const MEMORY = { MALLOC_TRIM_THRESHOLD_: '4194304', MALLOC_TOP_PAD_: '1048576' }

/** Longest path of a socket file in bytes on any system, including file name and terminator. */
const SOCKET_PATH_BYTES = 104

interface Cluster {
  /** Also contains the socket file if its path is short enough. */
  home: string
  binaries: Binaries
  data: string
  log: string
  password: string
  user: OperatingUser | undefined
  settings: Record<string, string>
}

/** Starts PostgreSQL in the data folder, or takes over one that a killed server left. Throws StartError with what to do. */
export async function startEmbeddedPostgres(
  dataDir: string,
  log: Logger,
  options: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(dataDir, log, options)
  const found = findPostmaster(cluster.data)
  if (
    found !== undefined &&
    (await waitUntilReady(urlOf(cluster.password, found), () => isProcess(found.pid), START_SECONDS))
  ) {
    return supervise(cluster, found.pid, found, true, log)
  }
  if (found !== undefined) await endPostmaster(found.pid, STOP_SECONDS)
  const address = {
    port: options.port ?? (await findFreePort()),
    socket: cluster.settings.unix_socket_directories ?? '',
  }
  return supervise(cluster, await startPostmaster(cluster, address), address, false, log)
}

/** Directory of the socket file, which saves an eighth of a click's CPU time; empty if the path is too long. */
function socketDirectory(home: string): string {
  const path = join(home, '.s.PGSQL.65535')
  return platform() === 'win32' || Buffer.byteLength(path) >= SOCKET_PATH_BYTES ? '' : home
}

/** URL of the PostgreSQL that runs for another server in this directory. */
export function findEmbeddedPostgres(dataDir: string): string | undefined {
  const found = findPostmaster(join(dataDir, 'postgres', 'data'))
  return found === undefined ? undefined : urlOf(readOrCreateSecret(join(dataDir, 'postgres-password')), found)
}

/** Restarts PostgreSQL on the same port if it dies while the server runs. */
function supervise(
  cluster: Cluster,
  firstPid: number,
  address: ServerAddress,
  attached: boolean,
  log: Logger,
): EmbeddedPostgres {
  let pid = firstPid
  let isStopping = false
  let restart: Promise<void> | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let reportedPid = 0
  const watch = setInterval(() => {
    if (isProcess(pid) || restart !== undefined || performance.now() - triedAt < RETRY_MS) return
    if (reportedPid !== pid) log.error({ pid }, 'PostgreSQL has ended; starting it again')
    reportedPid = pid
    triedAt = performance.now()
    restart = startPostmaster(cluster, address)
      .then((next) => {
        pid = next
      })
      .catch((error: unknown) => log.error({ error }, 'PostgreSQL does not start'))
      .finally(() => {
        restart = undefined
      })
  }, WATCH_MS)
  watch.unref()
  return {
    url: urlOf(cluster.password, address),
    attached,
    pid: () => pid,
    async stop() {
      if (isStopping) return
      isStopping = true
      clearInterval(watch)
      await restart
      await endPostmaster(pid, STOP_SECONDS)
    },
  }
}

async function prepareCluster(
  directory: string,
  log: Logger,
  { settings = {}, openDirectory = OPEN_DIRECTORY, binaries: wanted }: EmbeddedOptions,
): Promise<Cluster> {
  const dataDir = realpathSync(directory)
  const user = chooseUser()
  const password = readOrCreateSecret(join(dataDir, 'postgres-password'))
  const home = await prepareClusterHome({ dataDir, password, user, openDirectory, log })
  const cluster: Cluster = {
    home,
    binaries: placeBinaries(wanted ?? (await findPackagedBinaries()), user, openDirectory),
    data: join(home, 'data'),
    log: join(home, 'postgres.log'),
    password,
    user,
    settings: { ...SETTINGS, unix_socket_directories: socketDirectory(home), ...settings },
  }
  if (!existsSync(join(cluster.data, 'PG_VERSION'))) await initialise(cluster)
  return cluster
}

/** Creates the cluster under another name and moves it into place, so that an interrupted start leaves no incomplete one. */
async function initialise(cluster: Cluster): Promise<void> {
  // A unique name: initdb of a killed server may still be writing to another.
  const draft = `${cluster.data}.${process.pid}.new`
  for (const name of readdirSync(cluster.home).filter((entry) => entry.endsWith('.new'))) {
    rmSync(join(cluster.home, name), { recursive: true, force: true })
  }
  const passwordFile = join(cluster.home, 'initial-password')
  writeFileSync(passwordFile, cluster.password, { mode: 0o600 })
  own(passwordFile, cluster.user)
  const args = [`--pgdata=${draft}`, `--username=${USER}`, `--pwfile=${passwordFile}`]
  args.push('--auth=scram-sha-256', '--encoding=UTF8', '--locale=C.UTF-8')
  const { status, said } = await runToEnd(cluster, cluster.binaries.initdb, args)
  rmSync(passwordFile, { force: true })
  if (status !== 0) throw new StartError(`PostgreSQL could not be set up in ${cluster.home}: ${lastLines(said)}`)
  renameSync(draft, cluster.data)
}

/** Detached, so that Ctrl-C does not interrupt it. */
async function runToEnd(
  cluster: Cluster,
  program: string,
  args: string[],
): Promise<{ status: number | null; said: string }> {
  const child = spawn(program, args, {
    ...identityOf(cluster.user),
    cwd: cluster.home,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ status: null, said: error.message }))
    child.once('close', (status) => resolve({ status, said }))
  })
}

async function startPostmaster(cluster: Cluster, address: ServerAddress): Promise<number> {
  const deadline = Date.now() + START_SECONDS * 1000
  for (;;) {
    const pid = await spawnPostmaster(cluster, address.port)
    if (await waitUntilReady(urlOf(cluster.password, address), () => isProcess(pid), START_SECONDS)) return pid
    const said = lastLines(readFileSync(cluster.log, 'utf8'))
    // After kill -9 the old server's children need a moment to exit.
    const mayPass = /still in use|lock file/i.test(said) && Date.now() < deadline
    if (!mayPass) throw new StartError(`PostgreSQL does not start (${cluster.log}): ${said}`)
    await sleep(200)
  }
}

async function spawnPostmaster(cluster: Cluster, port: number): Promise<number> {
  // A stale pid file prevents the start if its pid belongs to another process now.
  if (findPostmaster(cluster.data) === undefined) rmSync(join(cluster.data, 'postmaster.pid'), { force: true })
  const args = ['-D', cluster.data, '-p', String(port)]
  for (const [name, value] of Object.entries(cluster.settings)) args.push('-c', `${name}=${value}`)
  const isLarge = existsSync(cluster.log) && statSync(cluster.log).size > LOG_BYTES
  const output = openSync(cluster.log, isLarge ? 'w' : 'a', 0o600)
  try {
    // Detached, so that Ctrl-C reaches only the server, which stops PostgreSQL last.
    const child = spawn(cluster.binaries.postgres, args, {
      ...identityOf(cluster.user),
      cwd: cluster.home,
      env: environmentWith(MEMORY),
      detached: true,
      stdio: ['ignore', output, output],
    })
    const pid = await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('spawn', () => resolve(child.pid ?? 0))
    })
    child.unref()
    return pid
  } catch (error) {
    throw new StartError(`PostgreSQL cannot be run: ${textOf(error)}`)
  } finally {
    closeSync(output)
  }
}

const identityOf = (user: OperatingUser | undefined): { uid?: number; gid?: number } =>
  user === undefined ? {} : { uid: user.uid, gid: user.gid }

function urlOf(password: string, { port, socket }: ServerAddress): string {
  const place = socket === '' ? '' : `?host=${encodeURIComponent(socket)}`
  return `postgres://${USER}:${password}@127.0.0.1:${port}/postgres${place}`
}

async function findFreePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', resolve)
  })
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('the system gave no port')
  return address.port
}

const lastLines = (text: string): string => text.trim().split('\n').slice(-3).join(' · ')
