// The client of analytics: the same statements whether ClickHouse runs in this process or on a cluster.

import { AsyncLocalStorage } from 'node:async_hooks'
import { currentScope, STATEMENT_SECONDS } from '../lib/statement-scope.ts'
import type { Params, Settings } from './statement.ts'

/**
 * How a statement waits when the engine is embedded. `write` has its own session and keeps the order of its statements. Of reads, short ones go
 * first (query-scheduler.ts).
 */
export type Lane = 'short' | 'long' | 'write'

export interface QueryOptions {
  /** Rejects at once with the signal's reason; a read is ended, and the session serves again when the engine has finished with it. */
  signal?: AbortSignal
  /** Written into the statement, which must not have a SETTINGS clause of its own. */
  settings?: Settings
  lane?: Lane
  /** The engine gives up after so many seconds: AppError('timeout'). 60 by default. */
  maxSeconds?: number
}

/** Rows as arrays in the order of `columns`. Decimals are text; 64-bit integers are numbers. */
export interface Table {
  columns: string[]
  rows: unknown[][]
}

export type InsertFormat = 'JSONCompactEachRow' | 'JSONEachRow' | 'TabSeparated'

export interface Clickhouse {
  readonly mode: 'embedded' | 'http'
  /** ` ON CLUSTER '…'` or nothing, and the prefix of engines, for statements that make tables. */
  readonly macros: Readonly<Record<'on_cluster' | 'replicated', string>>
  /** Values come only as typed placeholders: `where partner = {partner:UInt32}`. No FORMAT in the statement. */
  query<T extends object>(sql: string, params?: Params, options?: QueryOptions): Promise<T[]>
  /** The fastest form for many rows. */
  table(sql: string, params?: Params, options?: QueryOptions): Promise<Table>
  /** Rows as the engine makes them, whole numbers beyond those of a double as bigints; in lane `long`. */
  queryStream<T extends object>(sql: string, params?: Params, options?: QueryOptions): AsyncIterable<T>
  /** A statement without an answer; in lane `write`. */
  exec(sql: string, params?: Params, options?: QueryOptions): Promise<void>
  /** One insert of all rows, values in the order of `columns`: Date is not accepted, write 'YYYY-MM-DD hh:mm:ss.mmm' in UTC. */
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly unknown[])[],
    options?: QueryOptions,
  ): Promise<void>
  /** Rows that are text already, for example the answer of PostgreSQL's COPY (TabSeparated). Empty text is nothing to do. */
  insertText(
    table: string,
    columns: readonly string[],
    format: InsertFormat,
    text: string | Buffer,
    options?: QueryOptions,
  ): Promise<void>
  /** Rejects with AppError('unavailable') when it cannot answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** What both ways set for every statement. */
export const COMMON_SETTINGS: Settings = {
  session_timezone: 'UTC',
  output_format_json_quote_decimals: 1,
  output_format_json_quote_64bit_integers: 0,
  max_query_size: 16_000_000,
}

export const DEFAULT_MAX_SECONDS = STATEMENT_SECONDS.report

/** Time limit and caller of the current scope, for statements that belong to one request. */
export function scopeOptions(): Pick<QueryOptions, 'signal' | 'maxSeconds'> {
  const { kind, signal } = currentScope()
  return { maxSeconds: STATEMENT_SECONDS[kind], ...(signal !== undefined && { signal }) }
}

/** Completes a client by what follows from its other calls. */
export const completeClient = (client: Omit<Clickhouse, 'query' | 'insert'>): Clickhouse => ({
  ...client,
  query: async <T extends object>(sql: string, params?: Params, options?: QueryOptions) =>
    toObjects<T>(await client.table(sql, params, options)),
  insert: (table, columns, rows, options) =>
    client.insertText(table, columns, 'JSONCompactEachRow', rows.map((row) => JSON.stringify(row)).join('\n'), options),
})

/** Objects of a table's rows. */
function toObjects<T extends object>(table: Table): T[] {
  const { columns, rows } = table
  return rows.map((row) => {
    const object: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index++) object[columns[index] ?? ''] = row[index]
    // The caller names the shape of its own select; nothing here can check it.
    return object as T
  })
}

// For whom queries run: the scheduler shares the engine out among people, however many queries each of them sends.

const people = new AsyncLocalStorage<number>()

/** Queries that `work` sends are the person's. */
export const runForPerson = <T>(person: number, work: () => T): T => people.run(person, work)

/** Null: the product itself. */
export const currentPerson = (): number | null => people.getStore() ?? null
