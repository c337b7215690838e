// Runs the product as several processes: trackers, which answer clicks on the port, and one for everything else. The supervisor holds the
// lock of DATA_DIR and the embedded PostgreSQL, starts dead processes again, and stops all in order.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { probeAtFirstStart, probePort } from '../api/listening.ts'
import type { Config } from '../config.ts'
import { lockDirectory } from '../lib/directory-lock.ts'
import { type Logger, problemsOf } from '../lib/log.ts'
import { stopAll, type Undo } from '../lib/undo.ts'
import { startEmbeddedPostgres } from '../postgres/embedded.ts'
import { type WatchedProcess, watchProcess } from './watched-process.ts'

export interface Supervisor {
  /** Address of the trackers. */
  readonly url: string
  /** Seconds of each stage of the start. */
  readonly times: Readonly<Record<string, number>>
  /** Closes each connection after its next answer, for so long. */
  drain(seconds: number): Promise<void>
  stop(): Promise<void>
}

const APP = join(import.meta.dirname, 'app-process.ts')
const TRACKER = join(import.meta.dirname, 'tracker-process.ts')
/** Longer than a process waits for requests in flight. */
const STOP_MS = 120_000

/** Resolves when all processes serve. Throws StartError if one cannot start. */
export async function startSupervisor(config: Config, log: Logger): Promise<Supervisor> {
  const undo: Undo[] = []
  try {
    return await startProcesses(config, log, undo)
  } catch (error) {
    await stopAll(undo, log)
    throw error
  }
}

async function startProcesses(config: Config, log: Logger, undo: Undo[]): Promise<Supervisor> {
  await probeAtFirstStart(config)
  const lock = await lockDirectory(config.dataDir)
  undo.push(() => lock.release())
  const folder = mkdtempSync(join(tmpdir(), 'tributary-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  const began = performance.now()
  const databaseUrl = config.databaseUrl ?? (await startPostgres(config, log, undo))
  const postgresSeconds = (performance.now() - began) / 1000
  // Trackers share the port, so they would not notice that another program uses it.
  const port = await probePort(config.port)
  const shared: Config = { ...config, port, databaseUrl, trackerKey: randomBytes(32).toString('base64url') }
  const socketPath = join(folder, 'app.sock')
  const processes: WatchedProcess[] = []
  const watch = async (script: string, name: string, onReport?: Parameters<typeof watchProcess>[0]['onReport']) => {
    const start = { kind: 'start', name, config: shared, socketPath } as const
    const { watched, ready } = await watchProcess({ script, start, log, ...(onReport && { onReport }) })
    processes.push(watched)
    undo.push(() => watched.stop(STOP_MS))
    return { watched, ready }
  }
  const app = await watch(APP, 'app')
  const trackersBegan = performance.now()
  const names = Array.from({ length: config.trackers }, (_, index) => `tracker ${index + 1}`)
  await Promise.all(
    names.map((from) =>
      watch(TRACKER, from, (report) => {
        app.watched.send({ kind: 'report', from, report })
        const own = { metrics: [], problems: problemsOf(log) }
        app.watched.send({ kind: 'report', from: 'supervisor', report: own })
      }),
    ),
  )
  return {
    url: `http://localhost:${port}`,
    times: { postgresql: postgresSeconds, ...app.ready.times, trackers: (performance.now() - trackersBegan) / 1000 },
    async drain(seconds) {
      for (const one of processes) one.send({ kind: 'drain' })
      await sleep(seconds * 1000)
    },
    stop: () => stopAll(undo, log),
  }
}

async function startPostgres({ dataDir }: Config, log: Logger, undo: Undo[]): Promise<string> {
  const embedded = await startEmbeddedPostgres(dataDir, log)
  undo.push(() => embedded.stop())
  return embedded.url
}
