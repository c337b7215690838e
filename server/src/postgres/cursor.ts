// Reads the rows of one statement in batches, as fast as they are consumed; only one batch is in memory. All rows are of the moment at
// which the statement began.

import type { CompiledQuery } from 'kysely'
import Cursor from 'pg-cursor'
import { withStatementScope } from '../lib/statement-scope.ts'
import { cancelUntilSettled } from './cancel-request.ts'
import type { Postgres } from './client.ts'
import { asFailure } from './failure.ts'

/** How a statement is read in batches. */
export interface CursorOptions {
  /** Rows of a batch; 500 by default. */
  readonly size?: number
  readonly signal?: AbortSignal | undefined
}

/** Occupies one connection until the end, an early exit or an abort, which ends the statement. Throws `timeout` or `unavailable`. */
export async function* readInBatches<T extends object>(
  { pool }: Postgres,
  { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
  { size = 500, signal }: CursorOptions = {},
): AsyncGenerator<T[]> {
  signal?.throwIfAborted()
  const client = await withStatementScope('export', () => pool.connect())
  let reading: Promise<unknown> = Promise.resolve()
  let isFree = false
  // A connection with an unfinished statement is discarded.
  const free = (isWhole: boolean): void => {
    if (isFree) return
    isFree = true
    client.release(!isWhole)
  }
  // The consumer may never continue, and a long sort does not notice a closed connection.
  const stop = (): void => void cancelUntilSettled(client, reading).then(() => free(false))
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const cursor = client.query(new Cursor<T>(sql, [...parameters]))
    while (true) {
      const batch = cursor.read(size)
      reading = batch
      const rows = await batch
      signal?.throwIfAborted()
      if (rows.length > 0) yield rows
      if (rows.length < size) break
    }
    await cursor.close()
    free(true)
  } catch (error) {
    signal?.throwIfAborted()
    throw asFailure(error) ?? error
  } finally {
    signal?.removeEventListener('abort', stop)
    if (signal?.aborted !== true) free(false)
  }
}
