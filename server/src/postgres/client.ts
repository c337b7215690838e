// The door to the record: one pool for statements, one connection for notifications. int8 is read as a number, date and numeric as text.

import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { type Pool, type PoolClient, TypeOverrides, types } from 'pg'
import { ignore } from '../lib/ignore.ts'
import type { Logger } from '../lib/log.ts'
import { asFailure } from './failure.ts'
import { createListener, type Subscription } from './listener.ts'
import { createStatementPool, kyselyPool } from './statement-pool.ts'
import type { Database } from './tables.ts'

export interface Postgres {
  /** With the password in it: for engines that connect by themselves, never for a log. */
  readonly url: string
  readonly pool: Pool
  readonly db: Kysely<Database>
  /** Commits when `run` resolves; rolls back when it throws. A database that is gone surfaces as AppError('unavailable'). */
  withTransaction<T>(run: (trx: Transaction<Database>) => Promise<T>): Promise<T>
  /** The same for the few transactions that come thousands of times: their statements are planned once a connection. */
  withRepeatedTransaction<T>(run: (trx: Transaction<Database>) => Promise<T>): Promise<T>
  /** One connection of the pool for statements that belong together; given back afterwards. */
  withClient<T>(run: (client: PoolClient) => Promise<T>): Promise<T>
  /** `onReconnect` runs after an interruption, when messages may have been missed. */
  listen(channel: string, onMessage: (payload: string) => void, onReconnect?: () => void): Promise<Subscription>
  /** Rejects with AppError('unavailable') when no statement can be answered. */
  ping(): Promise<void>
  close(): Promise<void>
}

export interface PostgresOptions {
  /** Most connections of the pool. */
  max?: number
  applicationName?: string
}

const INT8 = types.builtins.INT8
const INT8_ARRAY = 1016

/** Decoders of this pool alone: other users of pg in the process keep theirs. */
function chooseTypes(): TypeOverrides {
  const overrides = new TypeOverrides()
  overrides.setTypeParser(INT8, Number)
  overrides.setTypeParser(INT8_ARRAY, (text) => text.slice(1, -1).split(',').filter(Boolean).map(Number))
  overrides.setTypeParser(types.builtins.DATE, String)
  overrides.setTypeParser(types.builtins.NUMERIC, String)
  return overrides
}

export function connectPostgres(url: string, log: Logger, options: PostgresOptions = {}): Postgres {
  const pool = createStatementPool({
    connectionString: url,
    max: options.max ?? 16,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: options.applicationName ?? 'tributary',
    idle_in_transaction_session_timeout: 60_000,
    types: chooseTypes(),
  })
  pool.on('error', (error) => log.warn({ error }, 'a connection to PostgreSQL was lost'))
  // A connection in use that is idle between two statements has nobody who listens for its end; the next statement on it fails.
  pool.on('connect', (client) => client.on('error', ignore))
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: kyselyPool(pool, false) }) })
  const repeated = new Kysely<Database>({ dialect: new PostgresDialect({ pool: kyselyPool(pool, true) }) })
  const listener = createListener(url, log)
  return {
    url,
    pool,
    db,
    withTransaction: (run) => orUnavailable(() => db.transaction().execute(run)),
    withRepeatedTransaction: (run) => orUnavailable(() => repeated.transaction().execute(run)),
    withClient: (run) => orUnavailable(() => useClient(pool, run)),
    listen: (channel, onMessage, onReconnect) => listener.listen(channel, onMessage, onReconnect),
    ping: () => orUnavailable(async () => void (await pool.query('select 1'))),
    async close() {
      await listener.close()
      await pool.end()
    },
  }
}

async function useClient<T>(pool: Pool, run: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    const result = await run(client)
    client.release()
    return result
  } catch (error) {
    // A connection that failed may hold an open transaction: it does not go back.
    client.release(true)
    throw error
  }
}

async function orUnavailable<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw asFailure(error) ?? error
  }
}
