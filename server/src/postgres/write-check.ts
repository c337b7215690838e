// Checks whether PostgreSQL can store new rows: on a full disk it still answers reads.

import type { Pool } from 'pg'
import { asUnavailable, isDiskFull } from './failure.ts'

/** A result is reused for this time, so that frequent checks cost nothing. */
const REUSE_MS = 3000

/** A new temporary table needs room for its rows and for its entry in the catalogue; both go when it ends. */
const PROBE = `begin; create temporary table write_check (filler text) on commit drop;
  insert into write_check select repeat(md5(n::text), 60) from generate_series(1, 300) n; commit`

const READ_ONLY = '25006'

/** The check rejects if rows cannot be stored. It passes while PostgreSQL is unreachable, which the check of its connection reports. */
export function createWriteCheck(pool: Pick<Pool, 'connect'>): () => Promise<void> {
  let last: { at: number; result: Promise<void> } | undefined
  return () => {
    if (last === undefined || performance.now() - last.at > REUSE_MS)
      last = { at: performance.now(), result: probe(pool) }
    return last.result
  }
}

async function probe(pool: Pick<Pool, 'connect'>): Promise<void> {
  const client = await pool.connect().catch(() => undefined)
  if (client === undefined) return
  try {
    await client.query(PROBE)
    client.release()
  } catch (error) {
    // It may have an open transaction.
    client.release(true)
    if (isDiskFull(error) || isReadOnly(error) || asUnavailable(error) === undefined) throw error
  }
}

const isReadOnly = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === READ_ONLY
