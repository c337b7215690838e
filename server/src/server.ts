// Starts a server: engines, migrations, modules, listening. Stops it in reverse, after the requests in flight.

import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiApp, type AppOptions, buildApp } from './api/app.ts'
import { createMetrics } from './api/health.ts'
import { closeAfterAnswers, finishRequests, listenOnPort, probeAtFirstStart } from './api/listening.ts'
import { forgetRestore } from './backup/restore-folder.ts'
import type { Clickhouse } from './clickhouse/client.ts'
import { measureClickhouse } from './clickhouse/measured.ts'
import { migrateClickhouse } from './clickhouse/migrate.ts'
import { openClickhouse } from './clickhouse/open.ts'
import { applyStorageTiers } from './clickhouse/storage-tiers.ts'
import type { Config } from './config.ts'
import { createJobRunner, type JobRunner } from './jobs/runner.ts'
import { StartError } from './lib/app-error.ts'
import { lockDirectory } from './lib/directory-lock.ts'
import type { Logger } from './lib/log.ts'
import type { ProcessReports } from './lib/process-report.ts'
import { createReadiness } from './lib/readiness.ts'
import { stopAll, type Undo } from './lib/undo.ts'
import { connectPostgres } from './postgres/client.ts'
import { startEmbeddedPostgres } from './postgres/embedded.ts'
import { asUnavailable } from './postgres/failure.ts'
import { migratePostgres, withMigrationLock } from './postgres/migrate.ts'
import { leaveRestore } from './postgres/restore-state.ts'
import { createWriteCheck } from './postgres/write-check.ts'
import { measureProcess } from './process-metrics.ts'
import type { ServerModule } from './server-module.ts'
import type { Services } from './services.ts'

export interface Server {
  readonly services: ServerServices
  /** Address that it listens on. */
  readonly url: string
  /** Seconds that each stage of the start took. */
  readonly times: Readonly<Record<string, number>>
  /** Makes the server not ready for `seconds`. It still answers, and closes each connection after its answer. */
  drain(seconds: number): Promise<void>
  stop(): Promise<void>
}

export interface ServerOptions extends AppOptions {
  readonly modules: readonly ServerModule[]
  /** Path of a socket file to listen on instead of the port. */
  readonly socketPath?: string
  /** Reports of the processes before this one. */
  readonly others?: ProcessReports
}

/** Services of a whole server, which also runs jobs. */
export interface ServerServices extends Services {
  readonly jobs: JobRunner
}

/** The supervisor holds the lock of DATA_DIR; this one is for ClickHouse. A process that lost its supervisor needs seconds to stop. */
const BEHIND_TRACKERS = { name: 'clickhouse.lock', waitMs: 10_000 }

export async function startServer(config: Config, log: Logger, options: ServerOptions): Promise<Server> {
  const undo: Undo[] = []
  const stop = once(() => stopAll(undo, log))
  const times: Record<string, number> = {}
  try {
    if (options.socketPath === undefined) await probeAtFirstStart(config)
    const services = await time(times, 'engines', () =>
      startServices(config, log, options.modules, undo, options.others),
    )
    measureProcess(services)
    const modules = options.modules.filter((module) => module.roles.some((role) => config.roles.includes(role)))
    await time(times, 'modules', () => startModules(services, modules, undo))
    const app = await time(times, 'listen', () => listen(services, { ...options, modules }, undo))
    const url = addressOf(app, config.port)
    for (const module of modules) await module.onListening?.(services, url)
    return { services, url, times, drain: (seconds) => drain(app, services, seconds), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Starts only what commands need: nothing listens, no job runs, and nothing is sent or scheduled. */
export async function startForCommand(
  config: Config,
  log: Logger,
  modules: readonly ServerModule[],
): Promise<Pick<Server, 'services' | 'stop'>> {
  const undo: Undo[] = []
  const stop = once(() => stopAll(undo, log))
  try {
    const services = await startServices({ ...config, backupTarget: undefined }, log, modules, undo)
    const needed = modules.filter(({ commands }) => commands !== undefined)
    await runModules(services, needed, undo)
    return { services, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Opens and migrates the engines and makes the services. Nothing listens and no job runs yet. */
export async function startServices(
  config: Config,
  log: Logger,
  modules: readonly ServerModule[],
  undo: Undo[],
  others: ProcessReports = new Map(),
): Promise<ServerServices> {
  if (config.databaseUrl === undefined || config.clickhouseUrl === undefined) {
    const lock = await lockDirectory(config.dataDir, config.trackerKey === undefined ? {} : BEHIND_TRACKERS)
    undo.push(() => lock.release())
  }
  const url = await findPostgres(config, log, undo)
  const metrics = createMetrics()
  const clickhouse = measureClickhouse(openClickhouse(config, log), metrics)
  undo.push(() => clickhouse.close())
  await migrate(url, clickhouse, config, log)
  forgetRestore(config.dataDir)
  const postgres = connectPostgres(url, log)
  undo.push(() => postgres.close())
  const jobs = createJobRunner(url, log)
  undo.push(() => jobs.stop())
  await jobs.prepare(modules.flatMap((module) => module.jobs ?? []))
  const readiness = createReadiness()
  readiness.add('postgresql', () => postgres.ping())
  readiness.add('record', createWriteCheck(postgres.pool))
  readiness.add('clickhouse', () => clickhouse.ping())
  return { config, log, postgres, clickhouse, jobs, metrics, readiness, others }
}

async function findPostgres(config: Config, log: Logger, undo: Undo[]): Promise<string> {
  if (config.databaseUrl !== undefined) return config.databaseUrl
  const embedded = await startEmbeddedPostgres(config.dataDir, log)
  undo.push(() => embedded.stop())
  return embedded.url
}

async function migrate(
  url: string,
  clickhouse: Clickhouse,
  { clickhouseTiers }: Pick<Config, 'clickhouseTiers'>,
  log: Logger,
): Promise<void> {
  try {
    await withMigrationLock(
      url,
      async (client) => {
        await leaveRestore(client)
        await migratePostgres(client)
        await migrateClickhouse(clickhouse)
        if (clickhouseTiers !== undefined) await applyStorageTiers(clickhouse, clickhouseTiers)
      },
      () => log.info('PostgreSQL is restarting; the start waits for it'),
    )
  } catch (error) {
    if (asUnavailable(error) === undefined) throw error
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const said =
      cause instanceof AggregateError ? cause.errors.join(', ') : cause instanceof Error ? cause.message : String(cause)
    throw new StartError(`the engines named by DATABASE_URL and CLICKHOUSE_URL cannot be reached: ${said}`, {
      cause: error,
    })
  }
}

async function runModules(services: Services, modules: readonly ServerModule[], undo: Undo[]): Promise<void> {
  for (const module of modules) {
    const running = await module.start?.(services)
    if (running !== undefined) undo.push(() => running.stop())
  }
}

async function startModules(services: ServerServices, modules: readonly ServerModule[], undo: Undo[]): Promise<void> {
  await runModules(services, modules, undo)
  if (services.config.roles.includes('worker')) await services.jobs.work(services)
}

async function listen(services: Services, options: ServerOptions, undo: Undo[]): Promise<ApiApp> {
  const app = await buildApp(services, options)
  undo.push(() => {
    services.readiness.startShutdown()
    return finishRequests(app.server, () => app.close())
  })
  await app.ready()
  const { socketPath } = options
  if (socketPath === undefined) await listenOnPort(services.config.port, (address) => app.listen(address))
  else await app.listen({ path: socketPath })
  return app
}

function addressOf(app: ApiApp, port: number): string {
  const address = app.server.address()
  return `http://localhost:${typeof address === 'object' && address !== null ? address.port : port}`
}

async function drain(app: ApiApp, { readiness }: Services, seconds: number): Promise<void> {
  readiness.startShutdown()
  closeAfterAnswers(app.server)
  await sleep(seconds * 1000)
}

async function time<T>(times: Record<string, number>, name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await work()
  times[name] = (performance.now() - started) / 1000
  return result
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= work()
    return result
  }
}
