// Applies pending migrations to ClickHouse. There are no transactions: a file is recorded after its last statement, so every statement must be
// repeatable (IF NOT EXISTS). The caller must hold the migration lock of PostgreSQL.

import { join } from 'node:path'
import { AppError, StartError, textOf } from '../lib/app-error.ts'
import {
  chooseMigrations,
  choosePending,
  type Migration,
  type MigrationResult,
  type Recorded,
  readMigrations,
} from '../lib/migration.ts'
import type { Clickhouse } from './client.ts'

export const CLICKHOUSE_MIGRATIONS = join(import.meta.dirname, 'migrations')

const TABLE = `create table if not exists migration{{on_cluster}} (
  number UInt32, name String, checksum String, applied_at DateTime default now()
) engine = {{replicated}}MergeTree order by number`

/** Runs the migrations that the engine lacks, in order of their numbers. Throws if a recorded one has changed. */
export async function migrateClickhouse(
  clickhouse: Clickhouse,
  folder = CLICKHOUSE_MIGRATIONS,
  only?: ReadonlySet<number>,
): Promise<MigrationResult> {
  const migrations = chooseMigrations(readMigrations(folder), only)
  await clickhouse.exec(fillMacros(TABLE, clickhouse))
  const recorded = await clickhouse.query<Recorded>('select number, name, checksum from migration order by number')
  const pending = choosePending(migrations, recorded, 'ClickHouse')
  for (const migration of pending) await apply(clickhouse, migration)
  return { applied: pending.map((migration) => migration.name), total: migrations.length }
}

async function apply(clickhouse: Clickhouse, migration: Migration): Promise<void> {
  try {
    for (const statement of splitStatements(fillMacros(migration.sql, clickhouse))) await clickhouse.exec(statement)
  } catch (error) {
    const message = textOf(error instanceof AppError ? (error.cause ?? error) : error)
    throw new StartError(`migration ${migration.name} failed: ${message}`, { cause: error })
  }
  const row = [migration.number, migration.name, migration.checksum]
  await clickhouse.insert('migration', ['number', 'name', 'checksum'], [row])
}

/** Statements end with `;` at the end of a line; lines that are only a comment go. */
export function splitStatements(sql: string): string[] {
  return sql
    .replace(/^\s*--.*$/gm, '')
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

/** Writes the names of the cluster and of its engines into the SQL of a migration. */
export function fillMacros(sql: string, clickhouse: Clickhouse): string {
  return sql.replace(
    /\{\{(on_cluster|replicated)\}\}/g,
    (_, name: 'on_cluster' | 'replicated') => clickhouse.macros[name],
  )
}
