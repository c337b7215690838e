// The pool of connections, in which every statement has a time limit and ends when its caller leaves. Limit and caller come from the
// statement's scope (lib/statement-scope.ts).

import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, type PoolClient, type PoolConfig, type QueryConfig, type QueryResult } from 'pg'
import { currentScope, STATEMENT_SECONDS } from '../lib/statement-scope.ts'
import { inStatementSpan } from '../lib/tracing.ts'
import { cancelUntilSettled } from './cancel-request.ts'

/** In milliseconds, as PostgreSQL counts `statement_timeout`. */
export const statementTimeout = (kind: keyof typeof STATEMENT_SECONDS): number => STATEMENT_SECONDS[kind] * 1000

/** A pool whose `connect` and `query` obey the scope they are called in. A failed statement leaves its connection in the pool. */
export function createStatementPool(config: PoolConfig): Pool {
  const first = statementTimeout('request')
  const pool = new Pool({ ...config, statement_timeout: first })
  const checkOut = pool.connect.bind(pool)
  /** Current limit of connections in ms; missing ones have the first. */
  const limits = new WeakMap<PoolClient, number>()

  async function connect(): Promise<PoolClient> {
    const { kind, signal } = currentScope()
    signal?.throwIfAborted()
    const client = await checkOut()
    try {
      signal?.throwIfAborted()
      const limit = statementTimeout(kind)
      if (limit === (limits.get(client) ?? first)) return client
      await client.query(`set statement_timeout = ${limit}`)
      limits.set(client, limit)
      return client
    } catch (error) {
      client.release(signal?.aborted !== true)
      throw error
    }
  }

  async function query(statement: string | QueryConfig, values?: unknown[]): Promise<QueryResult> {
    const { signal } = currentScope()
    const client = await connect()
    try {
      const text = typeof statement === 'string' ? statement : statement.text
      const result = await inStatementSpan('postgresql', text, () =>
        endOnAbort(client, signal, () => client.query(statement, values)),
      )
      client.release()
      return result
    } catch (error) {
      client.release(!isReusable(error, signal))
      throw error
    }
  }

  // Only the promise forms are used.
  return Object.assign(pool, { connect, query })
}

/** True if the server ended only the statement and the connection is intact. */
const isReusable = (error: unknown, signal: AbortSignal | undefined): boolean =>
  (error instanceof DatabaseError && error.severity === 'ERROR') || signal?.aborted === true

/**
 * Runs statements on a connection. When the signal aborts, the server ends the one under way and this rejects with the signal's reason. It
 * settles only when no cancel request is under way, so that none hits what the connection does next.
 */
export async function endOnAbort<T>(
  client: PoolClient,
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> {
  if (signal === undefined) return run()
  signal.throwIfAborted()
  const running = run()
  let cancelled: Promise<void> | undefined
  const cancel = (): void => {
    cancelled = cancelUntilSettled(client, running)
  }
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await running
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', cancel)
    await cancelled
  }
}

/** Texts beyond these are planned each time, so that ever new ones do not fill the connections. */
const MOST_PREPARED = 100

/**
 * The pool as Kysely takes it. With `prepares`, statements with values are prepared on each connection: for the few that come thousands of
 * times, planning costs more than running.
 */
export function kyselyPool(pool: Pool, prepares: boolean): PostgresPool {
  const names = new Map<string, string>()

  function nameOf(text: string, values: readonly unknown[]): string | undefined {
    if (!prepares || values.length === 0) return undefined
    const known = names.get(text)
    if (known !== undefined || names.size >= MOST_PREPARED) return known
    const name = `repeated-${names.size + 1}`
    names.set(text, name)
    return name
  }

  return {
    options: pool.options,
    async connect() {
      const { signal } = currentScope()
      const client = await pool.connect()
      const query = (text: unknown, values: readonly unknown[] = []): unknown => {
        if (typeof text !== 'string') throw new Error('statements of Kysely have no cursors')
        const name = nameOf(text, values)
        return inStatementSpan('postgresql', text, () =>
          endOnAbort(client, signal, () =>
            client.query({ text, values: [...values], ...(name !== undefined && { name }) }),
          ),
        )
      }
      // Kysely uses only these members of a client.
      const { processID } = client as PoolClient & { processID: number }
      return { query, processID, release: (error?: boolean) => client.release(error) } as PostgresPoolClient
    },
    end: () => Promise.resolve(),
  }
}
