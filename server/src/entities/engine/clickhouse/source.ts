// How rows that live in ClickHouse stand behind an entity's fields: an expression to read, one to ask, and what of it means 'nothing'.

import type { Row } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'

export interface SourceColumn {
  /** Selected, filtered and sorted by. Identifiers of the model only. */
  readonly sql: string
  /** Type of a parameter that is compared with it. UInt8 is a boolean. */
  readonly type: 'UInt32' | 'UInt8' | 'UUID' | 'String' | 'DateTime64'
  /** Of a choice: what is true of a row that holds it, where that is faster to ask than `sql`. */
  readonly choices?: Readonly<Record<string, string>>
}

export interface ClickhouseSource {
  readonly table: string
  readonly columns: Readonly<Record<string, SourceColumn>>
  /** Columns that the table is ordered by: pages in that order read only themselves. */
  readonly key: readonly [string, string]
  /** A column that the table counts rows by; it grows with the first of the key. */
  readonly day: string
  /** The instant inside an id, so that a look-up by id reads one granule. */
  timeOf(id: string): string
  /** Further columns to read, and the derived fields that are made of them. */
  readonly extra: readonly string[]
  derive(db: Db, rows: readonly Row[], extra: readonly (readonly unknown[])[], context: RequestContext): Promise<void>
}
