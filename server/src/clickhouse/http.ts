// The client of a ClickHouse server or cluster (CLICKHOUSE_URL). Its interface is that of the embedded engine.

import { createReadStream, createWriteStream } from 'node:fs'
import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { STATEMENT_SECONDS } from '../lib/statement-scope.ts'
import {
  type Clickhouse,
  COMMON_SETTINGS,
  completeClient,
  DEFAULT_MAX_SECONDS,
  type InsertFormat,
  type QueryOptions,
  type Table,
} from './client.ts'
import { toClickhouseFailure } from './failure.ts'
import { parseRow } from './row-text.ts'
import { checkName, type Params, requireParams, type Settings } from './statement.ts'

/** It is added to the engine's time limit, so that the engine's own error arrives. */
const NETWORK_MARGIN_MS = 15_000
const CONNECTIONS = 12
/** Idle connections are closed earlier than ClickHouse closes them, which is after at least 3 s. */
const IDLE_MS = 2500
const MAX_SECONDS = STATEMENT_SECONDS.facts
/** ClickHouse ends a read when its connection closes, but only if the statement is read-only. */
const READ_SETTINGS = { readonly: '2', cancel_http_readonly_queries_on_client_close: 1 } as const

/** Smaller reads stay on one server, because spreading them costs more than it saves. */
const ROWS_PER_REPLICA = 1_000_000

/** Reads that are worth it are shared by all replicas; ClickHouse reads with this server alone what it cannot share. */
const replicaSettings = (cluster: string): Settings => ({
  enable_parallel_replicas: 1,
  max_parallel_replicas: 1000,
  cluster_for_parallel_replicas: cluster,
  parallel_replicas_min_number_of_rows_per_replica: ROWS_PER_REPLICA,
})
/** Replicated tables forget inserts that equal an earlier one; other tables do not, and the product relies on these. */
const CLUSTER_INSERT_SETTINGS: Settings = { insert_deduplicate: 0 }

/** Connects to a server by its URL. With a cluster, tables are created on all of its servers. */
export function connectClickhouse(url: string, cluster: string | undefined): Clickhouse {
  const client = createClient({
    url,
    application: 'tributary',
    // Node's agent closes idle connections. The client's own idle timer may close a busy one after a waiting request was aborted.
    keep_alive: { enabled: true, idle_socket_ttl: 0 },
    http_agent: createAgent(url),
    request_timeout: MAX_SECONDS * 1000 + NETWORK_MARGIN_MS,
    use_multipart_params_auto: true,
    // The code that answers a failure logs it, so the client must not log it again.
    log: { level: ClickHouseLogLevel.OFF },
    compression: { response: true, request: true },
    clickhouse_settings: {
      ...COMMON_SETTINGS,
      max_query_size: String(COMMON_SETTINGS.max_query_size),
      ...(cluster === undefined ? {} : CLUSTER_INSERT_SETTINGS),
    },
  })

  const shared = cluster === undefined ? {} : replicaSettings(cluster)
  const shareReads = (options: QueryOptions): QueryOptions => ({
    ...options,
    settings: { ...shared, ...options.settings },
  })

  async function table(sql: string, params: Params = {}, options: QueryOptions = {}): Promise<Table> {
    requireParams(sql, params)
    return attempt(async () => {
      const result = await client.query({
        query: sql,
        format: 'JSONCompact',
        ...readRequest(params, shareReads(options)),
      })
      const answer = await result.json<unknown[]>()
      return { columns: (answer.meta ?? []).map((column) => column.name), rows: answer.data }
    }, options.signal)
  }

  return completeClient({
    mode: 'http',
    macros:
      cluster === undefined
        ? { on_cluster: '', replicated: '' }
        : { on_cluster: ` ON CLUSTER '${cluster}'`, replicated: 'Replicated' },
    table,
    queryStream: (sql, params = {}, options = {}) => streamRows(client, sql, params, shareReads(options)),
    exec: async (sql, params = {}, options = {}) => {
      requireParams(sql, params)
      const request = toRequest(params, { maxSeconds: MAX_SECONDS, ...options })
      await attempt(() => client.command({ query: sql, ...request }), options.signal)
    },
    insertText: (name, columns, format, text, options = {}) => insertText(client, name, columns, format, text, options),
    exportTo: (path, select, options = {}) => exportTo(client, path, select, options),
    importFrom: (path, name, columns, options = {}) => importFrom(client, path, name, columns, options),
    ping: async () => {
      const answer = await client.ping({ select: true })
      if (!answer.success) throw toClickhouseFailure(answer.error)
    },
    close: () => client.close(),
  })
}

function createAgent(url: string): Agent {
  const settings = { keepAlive: true, maxSockets: CONNECTIONS, timeout: IDLE_MS }
  return new URL(url).protocol === 'https:' ? new SecureAgent(settings) : new Agent(settings)
}

const readRequest = (params: Params, options: QueryOptions) =>
  toRequest(params, { ...options, settings: { ...READ_SETTINGS, ...options.settings } })

function toRequest(params: Params, options: QueryOptions) {
  return {
    query_params: { ...params },
    clickhouse_settings: { max_execution_time: options.maxSeconds ?? DEFAULT_MAX_SECONDS, ...options.settings },
    ...(options.signal === undefined ? {} : { abort_signal: options.signal }),
  }
}

async function* streamRows<T>(
  client: ClickHouseClient,
  sql: string,
  params: Params,
  options: QueryOptions,
): AsyncGenerator<T> {
  requireParams(sql, params)
  const request = readRequest(params, options)
  const result = await attempt(() => client.query({ query: sql, format: 'JSONEachRow', ...request }), options.signal)
  const stream = result.stream<T>()
  try {
    for await (const rows of stream) for (const row of rows) yield parseRow<T>(row.text)
  } catch (error) {
    throw toClickhouseFailure(error, options.signal)
  } finally {
    stream.destroy()
  }
}

async function insertText(
  client: ClickHouseClient,
  table: string,
  columns: readonly string[],
  format: InsertFormat,
  text: string | Buffer,
  options: QueryOptions,
): Promise<void> {
  if (text.length === 0) return
  const query = `INSERT INTO ${checkName(table)} (${columns.map(checkName).join(', ')}) FORMAT ${format}`
  const values = Readable.from([text], { objectMode: false })
  const request = toRequest({}, { maxSeconds: MAX_SECONDS, ...options })
  await attempt(async () => {
    const answer = await client.exec({ query, values, ...request })
    // Reading the empty answer frees the connection.
    answer.stream.resume()
  }, options.signal)
}

async function exportTo(client: ClickHouseClient, path: string, select: string, options: QueryOptions): Promise<void> {
  const request = toRequest({}, { maxSeconds: MAX_SECONDS, ...options })
  await attempt(async () => {
    const { stream } = await client.exec({
      query: `${select} FORMAT Native`,
      decompress_response_stream: true,
      ...request,
    })
    await pipeline(stream, createZstdCompress(), createWriteStream(path, { mode: 0o600 }))
  }, options.signal)
}

async function importFrom(
  client: ClickHouseClient,
  path: string,
  table: string,
  columns: readonly string[],
  options: QueryOptions,
): Promise<void> {
  const query = `INSERT INTO ${checkName(table)} (${columns.map(checkName).join(', ')}) FORMAT Native`
  const settings = { max_partitions_per_insert_block: 0, ...options.settings }
  const request = toRequest({}, { maxSeconds: MAX_SECONDS, ...options, settings })
  await attempt(async () => {
    const values = createReadStream(path).pipe(createZstdDecompress())
    const answer = await client.exec({ query, values, ...request })
    answer.stream.resume()
  }, options.signal)
}

async function attempt<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toClickhouseFailure(error, signal)
  }
}
