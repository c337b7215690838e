// The folder of a test run and its one PostgreSQL, made fresh, with a migrated database that every test's own is copied from, and the folder of a
// migrated ClickHouse. What killed runs left behind is ended and removed first.

import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { openEmbeddedClickhouse } from '../../src/clickhouse/embedded.ts'
import { migrateClickhouse } from '../../src/clickhouse/migrate.ts'
import { createJobRunner } from '../../src/jobs/runner.ts'
import { createLog } from '../../src/lib/log.ts'
import { startEmbeddedPostgres } from '../../src/postgres/embedded.ts'
import { migratePostgres, withMigrationLock } from '../../src/postgres/migrate.ts'
import { endPostmaster, findPostmaster, isProcess } from '../../src/postgres/postmaster.ts'

export const TEMPLATE = 'tributary_template'
/** Below the folder of the run: data of a server that has migrated its ClickHouse. */
export const CLICKHOUSE_TEMPLATE = 'clickhouse-template'
const PREFIX = 'tributary-test-run-'

/** Nothing of a test has to outlive a power cut. */
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  log_min_messages: 'fatal',
}

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** Of this run: what files of tests share lies here. */
    runFolder: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers()
  const directory = join(tmpdir(), `${PREFIX}${process.pid}`)
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  const log = createLog('warn')
  const makePostgres = async () => {
    const postgres = await startEmbeddedPostgres(directory, log, { settings: FAST })
    await makeTemplate(postgres.url)
    return postgres
  }
  const [postgres] = await Promise.all([makePostgres(), makeClickhouseTemplate(join(directory, CLICKHOUSE_TEMPLATE))])
  project.provide('postgresUrl', postgres.url)
  project.provide('runFolder', directory)
  return async () => {
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function makeTemplate(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const template = databaseUrl(url, TEMPLATE)
  await withMigrationLock(template, migratePostgres)
  // The queue's own tables are part of the template as well: making them takes longer than all else that a test starts.
  const jobs = createJobRunner(template, createLog('warn'))
  await jobs.prepare([])
  await jobs.stop()
}

async function makeClickhouseTemplate(directory: string): Promise<void> {
  const clickhouse = openEmbeddedClickhouse(directory, createLog('warn'))
  await migrateClickhouse(clickhouse)
  await clickhouse.close()
}

async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX) || isProcess(Number(name.slice(PREFIX.length)))) continue
    const directory = join(tmpdir(), name)
    const left = findPostmaster(join(directory, 'postgres', 'data'))
    if (left !== undefined) await endPostmaster(left.pid, 5)
    rmSync(directory, { recursive: true, force: true })
  }
}

export function databaseUrl(url: string, database: string): string {
  const address = new URL(url)
  address.pathname = `/${database}`
  return address.href
}
