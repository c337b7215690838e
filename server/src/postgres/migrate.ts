// Applies pending migrations, each file in its own transaction, one server at a time.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { StartError, textOf } from '../lib/app-error.ts'
import {
  chooseMigrations,
  choosePending,
  type Migration,
  type MigrationResult,
  type Recorded,
  readMigrations,
} from '../lib/migration.ts'
import { ignore } from '../lib/promises.ts'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import { statementTimeout } from './statement-pool.ts'

export const POSTGRES_MIGRATIONS = join(import.meta.dirname, 'migrations')

/**
 * Runs `work` under the migration lock, which also guards migrations of ClickHouse. Waits while PostgreSQL restarts after a crash, and calls
 * `onRecovery` once if it does.
 */
export async function withMigrationLock<T>(
  url: string,
  work: (client: Client) => Promise<T>,
  onRecovery?: () => void,
): Promise<T> {
  const client = await connect(url, onRecovery)
  try {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migrate])
    return await work(client)
  } finally {
    await client.end()
  }
}

/** PostgreSQL answers cannot_connect_now while it replays its log after a crash. */
const RECOVERY = { code: '57P03', waitMs: 120_000 }
/** A PostgreSQL that is being killed cuts the connection. A program that is no PostgreSQL does so, too, however long one waits. */
const DYING = { codes: new Set(['57P01', '57P02', 'ECONNRESET']), message: /^Connection terminated/, waitMs: 10_000 }
const RETRY_MS = 250

async function connect(url: string, onRecovery?: () => void): Promise<Client> {
  const began = Date.now()
  for (let attempt = 0; ; attempt++) {
    const client = new Client({
      connectionString: url,
      application_name: 'tributary migrate',
      statement_timeout: statementTimeout('migration'),
    })
    client.on('error', ignore)
    try {
      await client.connect()
      return client
    } catch (error) {
      if (Date.now() - began >= waitFor(error)) throw error
      if (attempt === 0) onRecovery?.()
      await sleep(RETRY_MS)
    }
  }
}

/** How many milliseconds a start waits for the end of such a failure. */
function waitFor(error: unknown): number {
  if (!(error instanceof Error)) return 0
  const code = 'code' in error ? String(error.code) : ''
  if (code === RECOVERY.code) return RECOVERY.waitMs
  return DYING.codes.has(code) || DYING.message.test(error.message) ? DYING.waitMs : 0
}

/** Applies pending files of `folder`, or those with the numbers `only`; the connection holds the migration lock. Throws StartError. */
export async function migratePostgres(
  client: Client,
  folder = POSTGRES_MIGRATIONS,
  only?: ReadonlySet<number>,
): Promise<MigrationResult> {
  const migrations = chooseMigrations(readMigrations(folder), only)
  await client.query(`create table if not exists migration (
    number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<Recorded>('select number, name, checksum from migration order by number')
  const pending = choosePending(migrations, rows, 'PostgreSQL')
  for (const migration of pending) await apply(client, migration)
  return { applied: pending.map((migration) => migration.name), total: migrations.length }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(migration.sql)
    const values = [migration.number, migration.name, migration.checksum]
    await client.query('insert into migration (number, name, checksum) values ($1, $2, $3)', values)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(ignore)
    throw new StartError(`migration ${migration.name} failed: ${textOf(error)}`, {
      cause: error,
    })
  }
}
