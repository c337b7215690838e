// Loads ClickHouse's tables of a back-up into an empty ClickHouse.

import type { Clickhouse } from '../clickhouse/client.ts'
import { migrateClickhouse } from '../clickhouse/migrate.ts'
import { StartError } from '../lib/app-error.ts'
import type { Manifest } from './manifest.ts'
import { withObject } from './pieces.ts'
import type { BackupStore } from './store.ts'

const IMPORT_SECONDS = 3600

/** Creates the tables as they were in the back-up, in place of those of an interrupted restore. */
export async function prepareFacts(clickhouse: Clickhouse, manifest: Manifest, isRepeated: boolean): Promise<void> {
  const tables = await clickhouse.query<{ name: string }>(
    `select name from system.tables where database = currentDatabase() and engine like '%MergeTree'`,
  )
  if (tables.length > 0 && !isRepeated)
    throw new StartError('ClickHouse is not empty: restore into a new DATA_DIR, or into a new database')
  for (const { name } of tables)
    await clickhouse.exec(`drop table if exists ${name}${clickhouse.macros.on_cluster} sync`)
  await migrateClickhouse(clickhouse, undefined, new Set(manifest.migrations.clickhouse))
}

export async function loadFacts(clickhouse: Clickhouse, store: BackupStore, manifest: Manifest): Promise<void> {
  for (const { name, columns, parts } of manifest.facts) {
    for (const part of parts)
      await withObject(store, part, '.native.zst', (path) =>
        clickhouse.importFrom(path, name, columns, { maxSeconds: IMPORT_SECONDS }),
      )
    const expected = parts.reduce((sum, { rows }) => sum + rows, 0)
    const [found] = await clickhouse.query<{ rows: number }>(`select count() as rows from ${name}`)
    // Rows that replace each other may already be merged.
    if ((found?.rows ?? 0) > expected || (expected > 0 && found?.rows === 0))
      throw new StartError(`${name} has ${found?.rows} rows after the restore, and the back-up has ${expected}`)
  }
}
