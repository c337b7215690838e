// The real server as a process of its own, on a folder and a port of its own: what only a whole process can show (signals, kill -9, users).

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmdirSync,
} from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { findClosedFolder, type OperatingUser } from '../../src/postgres/operating-user.ts'
import { endPostmaster, findPostmaster, isProcess } from '../../src/postgres/postmaster.ts'
import { atEndOfFile } from './cleanup.ts'
import { copyFolder, makeDirectory } from './harness.ts'

export interface ServerProcess {
  /** '' until it is ready. */
  url: string
  pid: number
  dataDir: string
  /** All that it has written to stdout and stderr. */
  output(): string
  /** Resolves when the ready block is printed; rejects with the output when it ends before. */
  ready(): Promise<void>
  /** Asks it to stop; resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number>
  /** kill -9, as a power cut: its PostgreSQL stays. */
  kill(): Promise<void>
  exited: Promise<number>
}

export interface ProcessOptions {
  env?: Record<string, string>
  args?: readonly string[]
  /** An earlier server's folder; it is removed at the end of the file that made it. */
  dataDir?: string
  /** Only root can start it as another user. */
  user?: OperatingUser
  main?: string
  /** Started as `npm start` does it: by a script that passes its signals on, both in a process group of their own. `pid` is the script's. */
  isGroup?: boolean
}

const MAIN = join(import.meta.dirname, '../../src/main.ts')
const HAND_OVER = join(import.meta.dirname, '../../../scripts/hand-over.mjs')
const HAND_OVER_CODE = `import { handOver } from ${JSON.stringify(HAND_OVER)}; handOver(process.execPath, process.argv.slice(1))`
/** A machine with two cores may be busy with other tests. */
const READY_MS = 180_000
const READY = /is ready on (http\S+)/

/** The code by which a shell names an end by a signal: 128 and its number. */
const exitCodeOf = (code: number | null, signal: NodeJS.Signals): number => code ?? 128 + constants.signals[signal]

/** Starts it and does not wait. */
export function spawnTestServer(options: ProcessOptions = {}): ServerProcess {
  const dataDir = options.dataDir ?? makeDataDir(options.user)
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    HOME: dataDir,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'info',
    DRAIN_SECONDS: '0',
    TRACKERS: '0',
    ...options.env,
  }
  const starter = options.isGroup === true ? ['--input-type=module', '-e', HAND_OVER_CODE, '--'] : []
  const [command, ...args] = [...launcherFor(options.user), process.execPath, ...starter, options.main ?? MAIN]
  const child = spawn(command, [...args, ...(options.args ?? [])], {
    env,
    cwd: dataDir,
    detached: options.isGroup === true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = once(child, 'close').then(([code, signal]) => exitCodeOf(code, signal))
  const server: ServerProcess = {
    url: '',
    pid: child.pid ?? 0,
    dataDir,
    output: () => output,
    async ready() {
      server.url = await waitForUrl(child, () => output)
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    exited,
  }
  atEndOfFile(() => endAll(server))
  return server
}

/** Starts it and waits until it is ready. */
export async function startTestServer(options: ProcessOptions = {}): Promise<ServerProcess> {
  const server = spawnTestServer(options)
  await server.ready()
  return server
}

/** A folder of its own on which a server has run before: a copy of one that is made once in a run of tests. */
export async function usedFolder(): Promise<string> {
  const folder = join(makeDirectory(), 'data')
  copyFolder(await originalFolder(), folder)
  return folder
}

async function originalFolder(): Promise<string> {
  const original = join(inject('runFolder'), 'used-data')
  const making = `${original}-making`
  // Who makes the folder makes it; other files of tests wait for it, or make it themselves if that failed.
  for (; !existsSync(original); await sleep(50)) {
    try {
      mkdirSync(making)
    } catch {
      continue
    }
    try {
      if (!existsSync(original)) await makeOriginal(original)
    } finally {
      rmdirSync(making)
    }
  }
  return original
}

async function makeOriginal(original: string): Promise<void> {
  const draft = mkdtempSync(`${original}-`)
  chmodSync(draft, 0o755)
  const server = await startTestServer({ dataDir: draft })
  if ((await server.stop()) !== 0) throw new Error(`the server did not stop in order:\n${server.output()}`)
  // What a killed process has written is kept without it; only a power cut would tell the difference.
  appendFileSync(join(draft, 'postgres/data/postgresql.auto.conf'), 'fsync = off\n')
  renameSync(draft, original)
}

async function waitForUrl(child: ChildProcess, output: () => string): Promise<string> {
  const deadline = Date.now() + READY_MS
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const url = READY.exec(output())?.[1]
    if (url !== undefined) return url
    await sleep(20)
  }
  throw new Error(`the server is not ready:\n${output()}`)
}

async function endAll(server: ServerProcess): Promise<void> {
  if (isProcess(server.pid)) await server.kill()
  const left = findPostmaster(join(server.dataDir, 'postgres', 'data'))
  if (left !== undefined) await endPostmaster(left.pid, 5)
}

/** A clone in a private folder of root is closed to other users: there the server may read every file, but write only its user's. */
function launcherFor(user: ProcessOptions['user']): string[] {
  if (user === undefined) return []
  const identity = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  if (findClosedFolder(import.meta.dirname, user) === undefined) return identity
  // Without the securebit, access(2) ignores capabilities.
  const reading = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search', '--securebits=+no_setuid_fixup']
  return [...identity, ...reading]
}

function makeDataDir(user: ProcessOptions['user']): string {
  const directory = makeDirectory()
  if (user !== undefined) chownSync(directory, user.uid, user.gid)
  return directory
}
