// Data of an earlier version, and how engines load it: migrated to that version, then filled row by row.
import { copyFileSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { from } from 'pg-copy-streams'
import { type BackupSource, makeBackup } from '../../src/backup/make-backup.ts'
import { openStore } from '../../src/backup/open-store.ts'
import { restoreCommand } from '../../src/backup/restore.ts'
import { openEmbeddedClickhouse } from '../../src/clickhouse/embedded.ts'
import { CLICKHOUSE_MIGRATIONS, migrateClickhouse } from '../../src/clickhouse/migrate.ts'
import { loadConfig } from '../../src/config.ts'
import { createJobRunner } from '../../src/jobs/runner.ts'
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

type Restored = Readonly<Record<'DATABASE_URL' | 'DATA_DIR', string>>

/** Resolves with the environment of a server that starts on the data. `throughBackup`: on a restored back-up of the data, made in their version. */
export async function restoreFrozenData(data: FrozenData, { throughBackup = false } = {}): Promise<Restored> {
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
  const store = join(makeDirectory(), 'back-ups')
  if (throughBackup) await backUp({ postgresUrl: url, clickhouse, dataDir }, store)
  await clickhouse.close()
  return throughBackup ? restoreBackup(store) : { DATABASE_URL: url, DATA_DIR: dataDir }
}

const SECRET = 'a secret of thirty-two characters or more'
const PASSPHRASE = 'a passphrase of some length'
const INSTALLATION = '7b0a4a55-5f6c-4a3e-9d4b-0c1d2e3f4a5b'

async function backUp(
  source: Pick<BackupSource, 'postgresUrl' | 'clickhouse' | 'dataDir'>,
  target: string,
): Promise<void> {
  const jobs = createJobRunner(source.postgresUrl, log)
  await jobs.prepare([])
  await jobs.stop()
  const { signal } = new AbortController()
  const store = await openStore(target, 'write')
  await makeBackup(store, target, {
    ...source,
    installation: INSTALLATION,
    secret: SECRET,
    passphrase: PASSPHRASE,
    pause: (work) => work(),
    signal,
  })
  await store.close()
}

async function restoreBackup(store: string): Promise<Restored> {
  const { url } = await createTestDatabase('empty')
  const restored = { DATABASE_URL: url, DATA_DIR: makeDirectory() }
  const config = loadConfig({ ...restored, BACKUP_PASSPHRASE: PASSPHRASE, LOG_LEVEL: 'fatal' }, {}, true)
  await restoreCommand({ config, log, say: () => undefined, args: [store], modules: [] })
  return restored
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
