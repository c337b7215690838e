// Data of an earlier version, and how engines load it: migrated to that version, then filled row by row.
import { copyFileSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { from } from 'pg-copy-streams'
import { openEmbeddedClickhouse } from '../../src/clickhouse/embedded.ts'
import { CLICKHOUSE_MIGRATIONS, migrateClickhouse } from '../../src/clickhouse/migrate.ts'
import { readMigrations } from '../../src/lib/migration.ts'
import { migratePostgres, POSTGRES_MIGRATIONS, withMigrationLock } from '../../src/postgres/migrate.ts'
import { createTestDatabase, log, makeDirectory } from '../support/harness.ts'

export interface FrozenTable {
  readonly name: string
  readonly columns: readonly string[]
  /** PostgreSQL: COPY text. ClickHouse: JSONCompactEachRow. */
  readonly text: string
}

export interface FrozenData {
  /** A moment between the first values and their corrections. */
  readonly knownAt: string
  readonly postgres: {
    /** The number of the last migration that had run. */
    readonly migration: number
    readonly tables: readonly FrozenTable[]
    readonly sequences: readonly { readonly name: string; readonly last: string }[]
  }
  readonly clickhouse: { readonly migration: number; readonly tables: readonly FrozenTable[] }
}

export const readFrozenData = (file: string): FrozenData =>
  // freeze-data.ts writes this type.
  JSON.parse(gunzipSync(readFileSync(file)).toString()) as FrozenData

function migrationsUpTo(folder: string, last: number): string {
  const copy = makeDirectory()
  for (const { name, number } of readMigrations(folder))
    if (number <= last) copyFileSync(join(folder, name), join(copy, basename(name)))
  return copy
}

/** Resolves with the environment of a server that starts on the data. */
export async function restoreFrozenData(data: FrozenData): Promise<{ DATABASE_URL: string; DATA_DIR: string }> {
  const { url } = await createTestDatabase('empty')
  await withMigrationLock(url, async (client) => {
    await migratePostgres(client, migrationsUpTo(POSTGRES_MIGRATIONS, data.postgres.migration))
  })
  await fillRecord(url, data.postgres)
  const dataDir = makeDirectory()
  const clickhouse = openEmbeddedClickhouse(dataDir, log)
  await migrateClickhouse(clickhouse, migrationsUpTo(CLICKHOUSE_MIGRATIONS, data.clickhouse.migration))
  for (const { name, columns, text } of data.clickhouse.tables)
    await clickhouse.insertText(name, columns, 'JSONCompactEachRow', text)
  await clickhouse.close()
  return { DATABASE_URL: url, DATA_DIR: dataDir }
}

async function fillRecord(url: string, { tables, sequences }: FrozenData['postgres']): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    // Rows arrive in any order and must not fire triggers.
    await client.query('set session_replication_role = replica')
    const { rows } = await client.query<{ names: string }>(
      `select string_agg(quote_ident(relname), ', ') as names from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migration'`,
    )
    await client.query(`truncate ${rows[0]?.names}`)
    for (const { name, columns, text } of tables)
      await pipeline([Buffer.from(text)], client.query(from(`copy ${name} (${columns.join(', ')}) from stdin`)))
    for (const { name, last } of sequences) await client.query('select setval($1, $2::bigint)', [name, last])
  } finally {
    await client.end()
  }
}
