// Rows of one statement in batches, as fast as they are taken: the database keeps the place, this process one batch. The rows are those of
// the moment at which the statement began.

import type { CompiledQuery } from 'kysely'
import Cursor from 'pg-cursor'
import { withStatements } from '../lib/statement-scope.ts'
import { cancelUntilSettled } from './cancel-request.ts'
import type { Postgres } from './client.ts'
import { asFailure } from './failure.ts'

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
  const client = await withStatements('export', () => pool.connect())
  let reading: Promise<unknown> = Promise.resolve()
  let isFree = false
  // A connection with half a statement on it does not go back.
  const free = (isWhole: boolean): void => {
    if (isFree) return
    isFree = true
    client.release(!isWhole)
  }
  // The reader may never come back, and a statement that sorts for long does not notice that nobody reads.
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
