// Rows of one statement in batches, as fast as they are taken: the database keeps the place, this process a batch. The rows are those of
// the moment at which the statement began.

import type { CompiledQuery } from 'kysely'
import Cursor from 'pg-cursor'
import { ignore } from '../lib/ignore.ts'
import type { Postgres } from './client.ts'
import { asUnavailable } from './failure.ts'

export interface CursorOptions {
  /** Rows of a batch. */
  readonly size?: number
  readonly signal?: AbortSignal | undefined
}

/** Holds one connection until it is read to the end, left or aborted; the statement ends with it. */
export async function* readInBatches<T extends object>(
  { pool }: Postgres,
  { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>,
  { size = 500, signal }: CursorOptions = {},
): AsyncGenerator<T[]> {
  signal?.throwIfAborted()
  const client = await pool.connect()
  let isFree = false
  const free = (isWhole: boolean): void => {
    if (isFree) return
    isFree = true
    // A connection with half a statement on it does not go back.
    client.release(!isWhole)
  }
  let pid: number | undefined
  // Whoever reads may never come back; and a statement that sorts for long would not see that nobody reads.
  const stop = (): void => {
    free(false)
    if (pid !== undefined) void pool.query('select pg_cancel_backend($1)', [pid]).catch(ignore)
  }
  signal?.addEventListener('abort', stop, { once: true })
  try {
    pid = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
    const cursor = client.query(new Cursor<T>(sql, [...parameters]))
    while (true) {
      const rows = await cursor.read(size)
      signal?.throwIfAborted()
      if (rows.length > 0) yield rows
      if (rows.length < size) break
    }
    await cursor.close()
    free(true)
  } catch (error) {
    signal?.throwIfAborted()
    throw asUnavailable(error) ?? error
  } finally {
    signal?.removeEventListener('abort', stop)
    free(false)
  }
}
