// Client of PostgreSQL: one pool for statements, one connection for notifications. int8 is parsed to number; date and numeric stay text.

import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { type Pool, type PoolClient, TypeOverrides, types } from 'pg'
import type { Logger } from '../lib/log.ts'
import { ignore } from '../lib/promises.ts'
import { asFailure } from './failure.ts'
import { createListener, type Subscription } from './listener.ts'
import { createStatementPool, kyselyPool } from './statement-pool.ts'

/** The connections of a process to PostgreSQL. */
export interface Postgres {
  /** Contains the password: never log it. */
  readonly url: string
  readonly pool: Pool
  readonly db: Kysely<Database>
  /** Commits when `run` resolves, rolls back when it throws. Throws AppError `unavailable` or `timeout` for failures of the database. */
  withTransaction<T>(run: (trx: Transaction<Database>) => Promise<T>): Promise<T>
  /** The same with prepared statements, for the few transactions that run thousands of times. */
  withRepeatedTransaction<T>(run: (trx: Transaction<Database>) => Promise<T>): Promise<T>
  /** Runs `run` on one connection; discards the connection if it throws. */
  withClient<T>(run: (client: PoolClient) => Promise<T>): Promise<T>
  /** Subscribes to a channel. `onReconnect` runs after an interruption, when messages may be lost. */
  listen(channel: string, onMessage: (payload: string) => void, onReconnect?: () => void): Promise<Subscription>
  /** Throws AppError `unavailable` if PostgreSQL does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** How a process connects. */
export interface PostgresOptions {
  /** Maximum of connections; 16 by default. */
  max?: number
  applicationName?: string
}

const INT8 = types.builtins.INT8
const INT8_ARRAY = 1016

/** Parsers of this pool only; other users of pg in the process keep theirs. */
function chooseTypes(): TypeOverrides {
  const overrides = new TypeOverrides()
  overrides.setTypeParser(INT8, Number)
  overrides.setTypeParser(INT8_ARRAY, (text) => text.slice(1, -1).split(',').filter(Boolean).map(Number))
  overrides.setTypeParser(types.builtins.DATE, String)
  overrides.setTypeParser(types.builtins.NUMERIC, String)
  return overrides
}

/** Connects lazily: the first statement opens a connection. */
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
  // Nobody listens for errors while a checked-out connection is idle; its next statement fails.
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
    // It may have an open transaction.
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

/** Tables as Kysely knows them. Modules add theirs by `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: extended by the modules that own the tables
export interface Database {}
