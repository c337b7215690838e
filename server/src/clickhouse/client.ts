// The ClickHouse client. Its interface is the same whether ClickHouse runs in this process or on a server or cluster.

import { AsyncLocalStorage } from 'node:async_hooks'
import { currentScope, STATEMENT_SECONDS } from '../lib/statement-scope.ts'
import type { Params, Settings } from './statement.ts'

/**
 * The queue of a statement when the engine is embedded. `write` has its own session and runs its statements in order. Short reads go before
 * long ones (query-scheduler.ts).
 */
export type Lane = 'short' | 'long' | 'write'

/** How one statement runs. */
export interface QueryOptions {
  /** On abort the call rejects at once with the signal's reason. A read is killed; its session is reused when the engine has finished with it. */
  signal?: AbortSignal
  /** They become a SETTINGS clause of the statement, which must not have its own. */
  settings?: Settings
  lane?: Lane
  /** After this many seconds the engine gives up, and the call rejects with AppError('timeout'). */
  maxSeconds?: number
}

/** Each row is an array in the order of `columns`. Decimals are text; 64-bit integers are numbers. */
export interface Table {
  columns: string[]
  rows: unknown[][]
}

/** The format of inserted lines. */
export type InsertFormat = 'JSONCompactEachRow' | 'JSONEachRow' | 'TabSeparated'

/** The same calls for the embedded engine and for a server over HTTP. They throw AppError `unavailable`, `timeout` or `too_large`. */
export interface Clickhouse {
  readonly mode: 'embedded' | 'http'
  /** SQL for statements on tables: ` ON CLUSTER '…'` or '', and the prefix of table engines. */
  readonly macros: Readonly<Record<'on_cluster' | 'replicated', string>>
  /** Values must be typed placeholders: `where partner = {partner:UInt32}`. The statement must not have a FORMAT clause. */
  query<T extends object>(sql: string, params?: Params, options?: QueryOptions): Promise<T[]>
  /** Like `query`, but rows are arrays, which is faster for many rows. */
  table(sql: string, params?: Params, options?: QueryOptions): Promise<Table>
  /** Streams rows as the engine produces them, by default in lane `long`. Integers that a double cannot hold are bigints. */
  queryStream<T extends object>(sql: string, params?: Params, options?: QueryOptions): AsyncIterable<T>
  /** Runs a statement without a result, by default in lane `write`. */
  exec(sql: string, params?: Params, options?: QueryOptions): Promise<void>
  /** Inserts all rows in one statement, values in the order of `columns`. Times must be text 'YYYY-MM-DD hh:mm:ss.mmm' in UTC, not Date. */
  insert(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly unknown[])[],
    options?: QueryOptions,
  ): Promise<void>
  /** Inserts rows that are already text, for example the output of PostgreSQL's COPY (TabSeparated). Empty text inserts nothing. */
  insertText(
    table: string,
    columns: readonly string[],
    format: InsertFormat,
    text: string | Buffer,
    options?: QueryOptions,
  ): Promise<void>
  /** Writes the rows of a select to a new file in the Native format, compressed by zstd. The path ends with `.native.zst`. */
  exportTo(path: string, select: string, options?: QueryOptions): Promise<void>
  /** Inserts the rows of a file that `exportTo` has written. */
  importFrom(path: string, table: string, columns: readonly string[], options?: QueryOptions): Promise<void>
  /** Rejects with AppError('unavailable') if ClickHouse does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Settings that both clients apply to every statement. */
export const COMMON_SETTINGS: Settings = {
  session_timezone: 'UTC',
  output_format_json_quote_decimals: 1,
  output_format_json_quote_64bit_integers: 0,
  max_query_size: 16_000_000,
}

export const DEFAULT_MAX_SECONDS = STATEMENT_SECONDS.report

/** The time limit and abort signal of the current statement scope. */
export function scopeOptions(): Pick<QueryOptions, 'signal' | 'maxSeconds'> {
  const { kind, signal } = currentScope()
  return { maxSeconds: STATEMENT_SECONDS[kind], ...(signal !== undefined && { signal }) }
}

/** Adds `query` and `insert`, which use the other calls of the client. */
export const completeClient = (client: Omit<Clickhouse, 'query' | 'insert'>): Clickhouse => ({
  ...client,
  query: async <T extends object>(sql: string, params?: Params, options?: QueryOptions) =>
    toObjects<T>(await client.table(sql, params, options)),
  insert: (table, columns, rows, options) =>
    client.insertText(table, columns, 'JSONCompactEachRow', rows.map((row) => JSON.stringify(row)).join('\n'), options),
})

/** Converts the rows of a table to objects. */
function toObjects<T extends object>(table: Table): T[] {
  const { columns, rows } = table
  return rows.map((row) => {
    const object: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index++) object[columns[index] ?? ''] = row[index]
    // The caller knows the shape of its select; it cannot be checked here.
    return object as T
  })
}

/** The person for whom queries run. The query scheduler shares the engine fairly among people. */
const personStorage = new AsyncLocalStorage<number>()

/** Assigns the queries that `work` sends to the person. */
export const runForPerson = <T>(person: number, work: () => T): T => personStorage.run(person, work)

/** Null means that the product itself sends the query. */
export const getCurrentPerson = (): number | null => personStorage.getStore() ?? null
