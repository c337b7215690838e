// Starts a server: engines, migrations, modules, listening. Stops it in reverse, after the requests in flight.

import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiApp, type AppOptions, buildApp } from './api/app.ts'
import { createMetrics } from './api/health.ts'
import type { Clickhouse } from './clickhouse/client.ts'
import { migrateClickhouse } from './clickhouse/migrate.ts'
import { openClickhouse } from './clickhouse/open.ts'
import type { Config } from './config.ts'
import { createJobRunner, type JobRunner } from './jobs/runner.ts'
import { StartError } from './lib/app-error.ts'
import { type DirectoryLock, lockDirectory } from './lib/directory-lock.ts'
import type { Logger } from './lib/log.ts'
import { createReadiness } from './lib/readiness.ts'
import { connectPostgres } from './postgres/client.ts'
import { startEmbeddedPostgres } from './postgres/embedded.ts'
import { asUnavailable } from './postgres/failure.ts'
import { migratePostgres, withMigrationLock } from './postgres/migrate.ts'
import { rejectUnfinishedRestore } from './postgres/unfinished-restore.ts'
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
}

/** Services of a whole server, which also runs jobs. */
export interface ServerServices extends Services {
  readonly jobs: JobRunner
}

/** A stopping server waits this long for requests in flight. */
const FINISH_SECONDS = 100

/** Steps that stop what has been started; run in reverse, also if a later step of the start fails. */
export type Undo = () => Promise<void> | void

export async function startServer(config: Config, log: Logger, options: ServerOptions): Promise<Server> {
  const undo: Undo[] = []
  const stop = once(() => stopAll(undo, log))
  const times: Record<string, number> = {}
  try {
    const services = await time(times, 'engines', () => startServices(config, log, options.modules, undo))
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

/** Opens and migrates the engines and makes the services. Nothing listens and no job runs yet. */
export async function startServices(
  config: Config,
  log: Logger,
  modules: readonly ServerModule[],
  undo: Undo[],
): Promise<ServerServices> {
  if (config.databaseUrl === undefined || config.clickhouseUrl === undefined) {
    const lock: DirectoryLock = await lockDirectory(config.dataDir)
    undo.push(() => lock.release())
  }
  const url = await findPostgres(config, log, undo)
  const clickhouse = openClickhouse(config, log)
  undo.push(() => clickhouse.close())
  await migrate(url, clickhouse)
  const postgres = connectPostgres(url, log)
  undo.push(() => postgres.close())
  const jobs = createJobRunner(url, log)
  undo.push(() => jobs.stop())
  await jobs.prepare(modules.flatMap((module) => module.jobs ?? []))
  const readiness = createReadiness()
  readiness.add('postgresql', () => postgres.ping())
  readiness.add('record', createWriteCheck(postgres.pool))
  readiness.add('clickhouse', () => clickhouse.ping())
  return { config, log, postgres, clickhouse, jobs, metrics: createMetrics(), readiness }
}

async function findPostgres(config: Config, log: Logger, undo: Undo[]): Promise<string> {
  if (config.databaseUrl !== undefined) return config.databaseUrl
  const embedded = await startEmbeddedPostgres(config.dataDir, log)
  undo.push(() => embedded.stop())
  return embedded.url
}

async function migrate(url: string, clickhouse: Clickhouse): Promise<void> {
  try {
    await withMigrationLock(url, async (client) => {
      await rejectUnfinishedRestore(client)
      await migratePostgres(client)
      await migrateClickhouse(clickhouse)
    })
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

async function startModules(services: ServerServices, modules: readonly ServerModule[], undo: Undo[]): Promise<void> {
  for (const module of modules) {
    const running = await module.start?.(services)
    if (running !== undefined) undo.push(() => running.stop())
  }
  if (services.config.roles.includes('worker')) await services.jobs.work(services)
}

async function listen(services: Services, options: ServerOptions, undo: Undo[]): Promise<ApiApp> {
  const app = await buildApp(services, options)
  undo.push(async () => {
    services.readiness.startShutdown()
    const late = setTimeout(() => app.server.closeAllConnections(), FINISH_SECONDS * 1000)
    // Kept-alive connections stay open after their last answer: close each as soon as it is idle.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 20)
    await app.close()
    clearTimeout(late)
    clearInterval(sweep)
  })
  const { port } = services.config
  await app.ready()
  // IPv6 and IPv4; IPv4 alone if the system has no IPv6.
  await app.listen({ port, host: '::' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EAFNOSUPPORT' && error.code !== 'EADDRNOTAVAIL') throw describeListenFailure(error, port)
    return app.listen({ port, host: '0.0.0.0' })
  })
  return app
}

function addressOf(app: ApiApp, port: number): string {
  const address = app.server.address()
  return `http://localhost:${typeof address === 'object' && address !== null ? address.port : port}`
}

async function drain(app: ApiApp, { readiness }: Services, seconds: number): Promise<void> {
  readiness.startShutdown()
  app.server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false
  })
  await sleep(seconds * 1000)
}

function describeListenFailure(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') return new StartError(`PORT=${port} is in use by another program`)
  if (error.code === 'EACCES') return new StartError(`PORT=${port} may not be used by this user`)
  return error
}

export async function stopAll(undo: Undo[], log: Logger): Promise<void> {
  for (const step of undo.splice(0).reverse()) {
    try {
      await step()
    } catch (error) {
      log.error({ error }, 'something did not stop in order')
    }
  }
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
