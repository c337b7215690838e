// Runs ClickHouse inside this process (chDB) with files under DATA_DIR/clickhouse. It uses sessions of a pool; settings and leftovers of one
// statement must never reach the next. The caller must hold the lock of DATA_DIR.

import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { ChdbQueryStream } from 'chdb'
import { StartError } from '../lib/app-error.ts'
import type { Logger } from '../lib/log.ts'
import { ignore, untilAborted } from '../lib/promises.ts'
import {
  type Clickhouse,
  COMMON_SETTINGS,
  completeClient,
  DEFAULT_MAX_SECONDS,
  getCurrentPerson,
  type InsertFormat,
  type Lane,
  type QueryOptions,
  type Table,
} from './client.ts'
import { toClickhouseFailure } from './failure.ts'
import { newMark } from './kill.ts'
import { decodeRows } from './row-text.ts'
import { type Lease, openSessionPool, type QueryClaim, type SessionPool } from './session-pool.ts'
import { checkName, type Params, requireParams, setParams, settingsClause } from './statement.ts'

const MB = 1024 * 1024
/** Settings for a small machine: small caches and merges; large groupings go to disk before they fill the memory. */
const ENGINE_SETTINGS = {
  ...COMMON_SETTINGS,
  max_memory_usage: 1000 * MB,
  max_bytes_before_external_group_by: 400 * MB,
  max_bytes_before_external_sort: 400 * MB,
  max_threads: Math.min(availableParallelism(), 8),
  max_insert_threads: 1,
  mark_cache_size: 64 * MB,
  compiled_expression_cache_size: 16 * MB,
  // Compiling the expressions of a report takes 0.3 s of a core and saves a tenth of a query on a million rows.
  min_count_to_compile_expression: 30,
  min_count_to_compile_aggregate_expression: 30,
  min_count_to_compile_sort_description: 30,
}
/** Rows per block of a stream. Decoding a block must not block the event loop for long. */
const STREAM_BLOCK_ROWS = 8192

/** Opens the engine inside this process, with its files in `dataDir`/clickhouse. A process can open one directory at a time. */
export function openEmbeddedClickhouse(dataDir: string, log: Logger): Clickhouse {
  const path = join(dataDir, 'clickhouse')
  mkdirSync(path, { recursive: true })
  const args = Object.entries(ENGINE_SETTINGS).map(([name, value]) => `--${name}=${value}`)
  const pool = openSessionPool(path, args, log)

  async function table(sql: string, params: Params = {}, options: QueryOptions = {}): Promise<Table> {
    const text = await run(pool, sql, params, options, 'JSONCompact')
    // ClickHouse's format JSONCompact has this shape.
    const answer = JSON.parse(text) as { meta: { name: string }[]; data: unknown[][] }
    return { columns: answer.meta.map((column) => column.name), rows: answer.data }
  }

  return completeClient({
    mode: 'embedded',
    macros: { on_cluster: '', replicated: '' },
    table,
    queryStream: (sql, params = {}, options = {}) => streamRows(pool, sql, params, options),
    exec: async (sql, params = {}, options = {}) =>
      void (await run(pool, sql, params, { lane: 'write', ...options }, 'Null')),
    insertText: (name, columns, format, text, options = {}) => insertText(pool, name, columns, format, text, options),
    exportTo: async (path, select, options = {}) => {
      const sql = `insert into function file('${checkPath(path)}', 'Native') ${select}`
      await run(pool, sql, {}, { lane: 'long', ...options, settings: ONE_THREAD }, 'Null')
    },
    importFrom: async (path, name, columns, options = {}) => {
      const into = `${checkName(name)} (${columns.map(checkName).join(', ')})`
      const sql = `insert into ${into} select * from file('${checkPath(path)}', 'Native')`
      await run(pool, sql, {}, { lane: 'write', ...options, settings: ONE_THREAD }, 'Null')
    },
    ping: async () => void (await run(pool, 'SELECT 1', {}, {}, 'Null')),
    close: () => pool.close(),
  })
}

/** Leaves the other threads to reports, and keeps the order of rows. */
const ONE_THREAD = { max_threads: 1, max_insert_threads: 1, max_partitions_per_insert_block: 0 }

function checkPath(path: string): string {
  if (/['\\\n]/.test(path)) throw new StartError(`${path} contains a character that ClickHouse cannot read in a path`)
  return path
}

const claimFor = (lane: Lane): QueryClaim => ({ lane, person: getCurrentPerson() })

async function run(
  pool: SessionPool,
  sql: string,
  params: Params,
  options: QueryOptions,
  format: string,
): Promise<string> {
  requireParams(sql, params)
  const set = setParams(params)
  const mark = newMark()
  const text = `${set === '' ? '' : `${set};\n`}${sql}${readSettings(sql, options, mark)}`
  const claim = claimFor(options.lane ?? 'short')
  return withLease(pool, claim, options.signal, mark, async ({ session }) => {
    const answer = await session.queryAsync(text, { format })
    return answer.text()
  })
}

/** Only reads get a time limit and the mark by which they are killed, because DDL and inserts accept no SETTINGS clause at the end. */
function readSettings(sql: string, options: QueryOptions, mark: string): string {
  const isRead = /^\s*(select|with|\()/i.test(sql) && !/\bsettings\b[^)]*$/i.test(sql)
  const forReads = isRead ? { max_execution_time: options.maxSeconds ?? DEFAULT_MAX_SECONDS, log_comment: mark } : {}
  return settingsClause({ ...forReads, ...options.settings })
}

async function insertText(
  pool: SessionPool,
  table: string,
  columns: readonly string[],
  format: InsertFormat,
  text: string | Buffer,
  options: QueryOptions,
): Promise<void> {
  if (text.length === 0) return
  // Values are passed as bytes, because text would be copied into the statement and parsed with it.
  const values = typeof text === 'string' ? Buffer.from(text) : text
  const into = {
    table: checkName(table),
    columns: columns.map(checkName),
    format,
    values,
    settings: { ...options.settings },
  }
  const claim = claimFor(options.lane ?? 'write')
  await withLease(pool, claim, options.signal, null, ({ session }) => session.insert(into))
}

/** Rejects at once on abort and kills the marked statement. The session is released when the engine has finished with it. */
async function withLease<T>(
  pool: SessionPool,
  claim: QueryClaim,
  signal: AbortSignal | undefined,
  mark: string | null,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  const lease = await pool.acquire(claim, signal)
  const native = work(lease)
  const finished = native.then(
    () => lease.release(true),
    () => lease.release(false),
  )
  try {
    const result = await untilAborted(native, signal)
    await finished
    return result
  } catch (error) {
    if (mark !== null && signal?.aborted === true) void pool.killer.end(mark, finished)
    throw toClickhouseFailure(error, signal)
  }
}

async function* streamRows<T>(
  pool: SessionPool,
  sql: string,
  params: Params,
  options: QueryOptions,
): AsyncGenerator<T> {
  requireParams(sql, params)
  const settings = { max_block_size: STREAM_BLOCK_ROWS, ...options.settings }
  const mark = newMark()
  const text = `${sql}${readSettings(sql, { ...options, settings }, mark)}`
  const lease = await pool.acquire(claimFor(options.lane ?? 'long'), options.signal)
  let stream: ChdbQueryStream | undefined
  let pending: Promise<unknown> = Promise.resolve()
  let isClean = false
  try {
    const set = setParams(params)
    if (set !== '') await lease.session.queryAsync(set)
    stream = lease.session.queryStream(text, { format: 'JSONEachRow' })
    const chunks = stream[Symbol.asyncIterator]()
    for (;;) {
      const next = chunks.next()
      pending = next
      const step = await untilAborted(next, options.signal)
      if (step.done === true) break
      yield* decodeRows<T>(step.value.raw())
    }
    isClean = true
  } catch (error) {
    throw toClickhouseFailure(error, options.signal)
  } finally {
    const ended = endStream(lease, stream, pending, isClean)
    if (!isClean) void pool.killer.end(mark, ended)
  }
}

async function endStream(
  lease: Lease,
  stream: ChdbQueryStream | undefined,
  pending: Promise<unknown>,
  isClean: boolean,
): Promise<void> {
  await pending.catch(ignore)
  stream?.cancel()
  await lease.release(isClean)
}
