// The base of tests: real PostgreSQL, real ClickHouse, the real server in this process or its own. Everything opened here is closed at the
// end of the file.

import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { inject } from 'vitest'
import type { Clickhouse } from '../../src/clickhouse/client.ts'
import { openEmbeddedClickhouse } from '../../src/clickhouse/embedded.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import { createLog, type Logger } from '../../src/lib/log.ts'
import { stopAll, type Undo } from '../../src/lib/undo.ts'
import { type Server, type ServerOptions, type ServerServices, startServer, startServices } from '../../src/server.ts'
import type { ServerModule } from '../../src/server-module.ts'
import { atEndOfFile } from './cleanup.ts'
import { CLICKHOUSE_TEMPLATE, databaseUrl, TEMPLATE } from './run-postgres.ts'

export const log = createLog('fatal')

export interface TestDatabase {
  url: string
  name: string
  drop(): Promise<void>
}

export interface TestOptions {
  modules?: readonly ServerModule[]
  env?: Record<string, string>
}

export interface TestServices extends ServerServices {
  stop(): Promise<void>
}

/** A folder that any user may enter, removed at the end of the file. */
export function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tributary-test-'))
  chmodSync(directory, 0o755)
  atEndOfFile(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A new database with all tables (`migrated`, the default) or empty. */
export async function createTestDatabase(content: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const root = inject('postgresUrl')
  await runAs(
    root,
    `create database ${name}${content === 'migrated' ? ` template ${TEMPLATE} strategy file_copy` : ''}`,
  )
  const drop = (): Promise<void> => runAs(root, `drop database if exists ${name} with (force)`)
  atEndOfFile(drop)
  return { name, url: databaseUrl(root, name), drop }
}

async function runAs(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Call it once per file: a process can have one ClickHouse directory at a time. */
export function openTestClickhouse(): Clickhouse {
  const clickhouse = openEmbeddedClickhouse(makeDirectory(), log)
  atEndOfFile(() => clickhouse.close())
  return clickhouse
}

/** A DATA_DIR with a migrated ClickHouse, which saves most of the start. */
function makeDataDir(): string {
  const directory = makeDirectory()
  copyFolder(`${join(inject('runFolder'), CLICKHOUSE_TEMPLATE)}/.`, directory)
  return directory
}

/** Copies with owners, modes and links. */
export function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to])
}

export async function createTestConfig(env: Record<string, string> = {}): Promise<Config> {
  const database = env.DATABASE_URL === undefined ? { DATABASE_URL: (await createTestDatabase()).url } : {}
  return loadConfig({ DATA_DIR: env.DATA_DIR ?? makeDataDir(), PORT: '0', LOG_LEVEL: 'fatal', ...database, ...env })
}

/** Migrated engines and all services, without started modules and HTTP. Call it once per file. */
export async function startTestServices({ modules = [], env = {} }: TestOptions = {}): Promise<TestServices> {
  const config = await createTestConfig(env)
  const undo: Undo[] = []
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (!isStopped) await stopAll(undo, log)
    isStopped = true
  }
  atEndOfFile(stop)
  const services = await startServices(config, log, modules, undo)
  return { ...services, stop }
}

/** The whole server in this process, on a free port, with the given modules. Call it once per file. */
export async function startTestApp({
  modules = [],
  env = {},
  screensDirectory,
  timeouts,
  log: ownLog = log,
}: TestOptions & Omit<ServerOptions, 'modules'> & { log?: Logger } = {}): Promise<Server> {
  const config = await createTestConfig(env)
  const server = await startServer(config, ownLog, {
    modules,
    ...(screensDirectory === undefined ? {} : { screensDirectory }),
    ...(timeouts === undefined ? {} : { timeouts }),
  })
  atEndOfFile(() => server.stop())
  return server
}
