// Maps an entity's fields to columns of a ClickHouse table.

import type { Language } from '@tributary/contract/language'
import type { ListQuery } from '@tributary/contract/list-query'
import type { Row } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'

/** How a field is read from ClickHouse. */
export interface SourceColumn {
  /** Expression to select, filter and sort by; contains no user input. */
  readonly sql: string
  /** Type of a parameter compared with it. UInt8 is a boolean. */
  readonly type: 'UInt32' | 'UInt8' | 'UUID' | 'String' | 'DateTime64'
  /** Conditions by value of a choice, if they are faster than comparing `sql`. */
  readonly choices?: Readonly<Record<string, string>>
}

/** The table of an entity that is stored in ClickHouse. */
export interface ClickhouseSource {
  readonly table: string
  readonly columns: Readonly<Record<string, SourceColumn>>
  /** Sort key of the table: pages in this order read only their own rows. */
  readonly key: readonly [string, string]
  /** Column of days; grows with the first key column. */
  readonly day: string
  /** Timestamp inside an id, so that a look-up by id reads one granule. */
  timeOf(id: string): string
  /** Further columns to read, passed to `derive` in this order. */
  readonly extra: readonly string[]
  /** Sentences below the rows of a file, such as what the list lacks. */
  notesOf(db: Db, query: ListQuery, language: Language): Promise<readonly string[]>
  derive(db: Db, rows: readonly Row[], extra: readonly (readonly unknown[])[], context: RequestContext): Promise<void>
}

/** The timestamp inside a UUIDv7, as ClickHouse writes it. */
export function clickTimeOf(id: string): string {
  const milliseconds = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  // Ids after 2100 do not exist, so any timestamp without rows is correct for them.
  const instant = new Date(Math.min(milliseconds, Date.UTC(2100, 0)))
  return toClickhouseTime(instant.toISOString())
}

/** The range of DateTime64. */
const FIRST = '1900-01-01 00:00:00.000'
const LAST = '2299-12-31 23:59:59.999'

/** Converts ISO text of the years 1 to 9999; clamps it to the range of DateTime64. */
export function toClickhouseTime(iso: string): string {
  const text = iso.slice(0, 23).replace('T', ' ').replace('Z', '')
  return text < FIRST ? FIRST : text > LAST ? LAST : text
}
