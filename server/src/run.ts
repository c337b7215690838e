// Runs a server as a process: starts it, prints its address, and stops it in order on a signal.

// chDB's queries occupy threads of libuv's pool; file access, DNS and password hashes need further threads.
// biome-ignore lint/style/noProcessEnv: written for libuv, which reads it at its first use; nothing here reads it
process.env.UV_THREADPOOL_SIZE ??= '16'

import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { StartError, textOf } from './lib/app-error.ts'
import { endOnUncaught } from './lib/end-process.ts'
import { createLog, type Logger } from './lib/log.ts'
import { findClusterHome } from './postgres/cluster-home.ts'
import type { Server } from './server.ts'

/** Runs beside the server and stops before it. */
export interface Companion {
  /** Lines of the start message. */
  lines: readonly string[]
  /** Called before the server stops. */
  stop(): Promise<void>
}

/** Called when the server listens. May reject once `stopping` is aborted. */
export type StartCompanion = (server: Server, stopping: AbortSignal) => Promise<Companion>

/** Reads the settings. For an offline command it does not create DATA_DIR: the command does, or does not need it. */
type ReadConfig = (isOffline: boolean) => Config

/** Runs the command that the arguments name, or a server until a signal. Ends the process, with code 1 after an error. */
export function runProcess(readConfig: ReadConfig, startCompanion?: StartCompanion): void {
  run(process.argv.slice(2), readConfig, startCompanion).then(
    () => process.exit(0),
    (error: unknown) => {
      const isFault = error instanceof Error && !(error instanceof StartError)
      process.stderr.write(`tributary: ${isFault ? (error.stack ?? error.message) : textOf(error)}\n`)
      process.exit(1)
    },
  )
}

async function run(
  args: readonly string[],
  readConfig: ReadConfig,
  startCompanion: StartCompanion | undefined,
): Promise<void> {
  const began = performance.now()
  const [command, ...commandArgs] = args
  if (command !== undefined && !command.startsWith('--')) {
    const { MODULES, isOfflineCommand, requireInstallation, runCommand } = await loadServer()
    requireInstallation(command, readConfig(true), MODULES)
    const config = readConfig(isOfflineCommand(command, MODULES))
    const log = createLog(config.logLevel)
    return runCommand(command, { config, log, modules: MODULES, args: commandArgs, say, stopping: watchSignals(log) })
  }
  const config = readConfig(false)
  const log = createLog(config.logLevel)
  const stopping = watchSignals(log)
  if (config.trackers > 0 && startCompanion === undefined) return supervise(config, log, stopping, began)
  endOnUncaught()
  const { MODULES, startServer, startTracing } = await loadServer()
  const stopTracing = await startTracing(config, log, 'server')
  const server = await startServer(config, log, { modules: MODULES })
  let companion: Companion | undefined
  try {
    companion = await startBeside(server, stopping, startCompanion)
    if (!stopping.aborted) announce(config, server, companion?.lines ?? [], began)
    await waitForStop(server, config, log, stopping)
  } finally {
    await companion?.stop()
    await server.stop()
    await stopTracing()
  }
  log.info('stopped')
}

/** The code of the server is most of what there is: a process that only supervises others, or refuses its settings, does not load it. */
async function loadServer() {
  const [{ MODULES }, { isOfflineCommand, requireInstallation, runCommand }, { startServer }, { startTracing }] =
    await Promise.all([import('./modules.ts'), import('./command.ts'), import('./server.ts'), import('./telemetry.ts')])
  return { MODULES, isOfflineCommand, requireInstallation, runCommand, startServer, startTracing }
}

/** Runs trackers and everything else in processes of their own. */
async function supervise(config: Config, log: Logger, stopping: AbortSignal, began: number): Promise<void> {
  const { startSupervisor } = await import('./processes/supervisor.ts')
  const supervisor = await startSupervisor(config, log)
  try {
    const trackers = `processes  ${config.trackers} for clicks, 1 for everything else`
    if (!stopping.aborted) announce(config, supervisor, [trackers], began)
    await waitForStop(supervisor, config, log, stopping)
  } finally {
    await supervisor.stop()
  }
  log.info('stopped')
}

async function waitForStop(
  server: Pick<Server, 'drain'>,
  config: Config,
  log: Logger,
  stopping: AbortSignal,
): Promise<void> {
  await untilAborted(stopping)
  log.info('stopping: requests in flight are finished first')
  if (stopping.reason === 'SIGTERM') await server.drain(config.drainSeconds)
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Starts the companion. Undefined if there is none, or if the process was signalled before the companion had started. */
async function startBeside(
  server: Server,
  stopping: AbortSignal,
  start: StartCompanion | undefined,
): Promise<Companion | undefined> {
  try {
    return await start?.(server, stopping)
  } catch (error) {
    if (stopping.aborted) return undefined
    throw error
  }
}

/** A signal to the process group arrives directly and again from the starting script; both are one request. */
const SAME_REQUEST_MS = 1000

/** The first signal asks the server to stop and is the reason. A later one ends the process at once and leaves PostgreSQL running. */
function watchSignals(log: Logger): AbortSignal {
  const controller = new AbortController()
  let askedAt = 0
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted && performance.now() - askedAt < SAME_REQUEST_MS) return
      if (controller.signal.aborted) {
        log.warn({ signal }, 'ended at once')
        // By the signal itself: an exit would run the handlers of the embedded ClickHouse first, which may wait for ever.
        process.removeAllListeners(signal)
        process.kill(process.pid, signal)
        return
      }
      askedAt = performance.now()
      controller.abort(signal)
    })
  }
  return controller.signal
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function announce(config: Config, server: Pick<Server, 'url' | 'times'>, more: readonly string[], began: number): void {
  const seconds = (performance.now() - began) / 1000
  const stages = Object.entries(server.times).map(([name, time]) => `${name} ${time.toFixed(1)} s`)
  const engines = [
    `PostgreSQL ${config.databaseUrl === undefined ? describeEmbedded(config.dataDir) : 'by DATABASE_URL'}`,
    `ClickHouse ${config.clickhouseUrl === undefined ? 'embedded' : 'by CLICKHOUSE_URL'}`,
  ]
  const lines = [
    `Tributary is ready on ${server.url}`,
    `  roles    ${config.roles.join(', ')}`,
    `  data     ${config.dataDir} (${engines.join(', ')})`,
    `  started  in ${seconds.toFixed(1)} s (${stages.join(', ')})`,
    ...more.map((line) => `  ${line}`),
  ]
  process.stdout.write(`\n${lines.join('\n')}\n\n`)
}

/** Names the folder of PostgreSQL's files if it is not in DATA_DIR. */
function describeEmbedded(dataDir: string): string {
  const home = findClusterHome(dataDir)
  return home === undefined || home === join(realpathSync(dataDir), 'postgres') ? 'embedded' : `embedded in ${home}`
}
