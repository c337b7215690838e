// Reads ClickHouse's tables as they were at one moment: clones that share the files of the tables, exported part by part. A part never changes,
// so that one that an earlier back-up has stored is not read again.

import type { Clickhouse } from '../clickhouse/client.ts'
import type { FactTable, Manifest } from './manifest.ts'
import { storeWritten, type Writing } from './pieces.ts'

const CLONE_SUFFIX = '_backup'
const EXPORT_SECONDS = 3600

export async function listFactTables(clickhouse: Clickhouse): Promise<string[]> {
  const rows = await clickhouse.query<{ name: string }>(
    `select name from system.tables where database = currentDatabase() and engine like '%MergeTree'
      and not endsWith(name, '_rebuild') and not endsWith(name, '${CLONE_SUFFIX}') and name != 'migration' order by name`,
  )
  return rows.map(({ name }) => name)
}

/**
 * Clones the tables of this server, each in milliseconds. On a cluster, the other servers keep theirs without a clone.
 * `check` is called before each table and may throw.
 */
export async function cloneFacts(clickhouse: Clickhouse, tables: readonly string[], check: () => void): Promise<void> {
  for (const table of tables) {
    check()
    await clickhouse.exec(`create table ${table}${CLONE_SUFFIX} clone as ${table}`, {}, { lane: 'short' })
  }
}

/** Also drops clones that an interrupted back-up has left. */
export async function dropClones(clickhouse: Clickhouse): Promise<void> {
  const rows = await clickhouse.query<{ name: string }>(
    `select name from system.tables where database = currentDatabase() and endsWith(name, '${CLONE_SUFFIX}')`,
  )
  for (const { name } of rows) await clickhouse.exec(`drop table if exists ${name}`)
}

export async function exportFacts(
  clickhouse: Clickhouse,
  tables: readonly string[],
  before: Pick<Manifest, 'facts'> | undefined,
  writing: Writing,
): Promise<FactTable[]> {
  const exported: FactTable[] = []
  for (const name of tables) {
    const columns = await readColumns(clickhouse, `${name}${CLONE_SUFFIX}`)
    const known = new Map(
      before?.facts
        .filter((table) => table.name === name && table.columns.join() === columns.join())
        .flatMap((table) => table.parts.map((part) => [part.fingerprint, part])),
    )
    const parts: FactTable['parts'] = []
    for (const part of await readParts(clickhouse, `${name}${CLONE_SUFFIX}`)) {
      const object = known.get(part.fingerprint) ?? (await exportPart(clickhouse, name, columns, part.name, writing))
      parts.push({ hash: object.hash, bytes: object.bytes, fingerprint: part.fingerprint, rows: part.rows })
    }
    exported.push({ name, columns, parts })
  }
  return exported
}

async function readColumns(clickhouse: Clickhouse, table: string): Promise<string[]> {
  const rows = await clickhouse.query<{ name: string }>(
    `select name from system.columns where database = currentDatabase() and table = {table:String}
      and default_kind not in ('ALIAS', 'MATERIALIZED') order by position`,
    { table },
  )
  return rows.map(({ name }) => name)
}

const readParts = (clickhouse: Clickhouse, table: string) =>
  clickhouse.query<{ name: string; rows: number; fingerprint: string }>(
    `select name, rows, concat(hash_of_all_files, hash_of_uncompressed_files) as fingerprint from system.parts
      where database = currentDatabase() and table = {table:String} and active and rows > 0 order by partition_id, name`,
    { table },
  )

function exportPart(clickhouse: Clickhouse, table: string, columns: readonly string[], part: string, writing: Writing) {
  const select = `select ${columns.join(', ')} from ${table}${CLONE_SUFFIX} where _part = '${part}'`
  return storeWritten(writing, '.native.zst', (path) =>
    clickhouse.exportTo(path, select, { maxSeconds: EXPORT_SECONDS }),
  )
}

export async function readFactMigrations(clickhouse: Clickhouse): Promise<number[]> {
  const rows = await clickhouse.query<{ number: number }>('select number from migration order by number')
  return rows.map(({ number }) => number)
}
