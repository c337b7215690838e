// The keys of changed rows of the record. They are read as they become visible and deleted one by one when their facts are in ClickHouse,
// because transactions commit in another order than they number their rows.

import type { Postgres } from '../postgres/client.ts'
import type { Cause } from './cause.ts'

type Pool = Pick<Postgres, 'pool'>

/** Keys of facts themselves; all others are expanded to these first. */
export const DIRECT_KINDS = ['player', 'spend', 'partner'] as const

export interface Change extends Cause {
  readonly id: number
  readonly kind: string
  readonly key: number
}

interface Row {
  id: number
  kind: string
  key: number
  cause: string
  actor_id: number | null
  request_id: string | null
  created_at: Date
}

const COLUMNS = 'select id, kind, key, cause, actor_id, request_id, created_at from outbox'

export const readDirectChanges = (postgres: Pool, limit: number, after: number): Promise<Change[]> =>
  readChanges(postgres, `${COLUMNS} where kind = any($1) and id > $3 order by id limit $2`, [
    DIRECT_KINDS,
    limit,
    after,
  ])

export const readWideChanges = (postgres: Pool, limit: number): Promise<Change[]> =>
  readChanges(postgres, `${COLUMNS} where kind <> all($1) order by id limit $2`, [DIRECT_KINDS, limit])

async function readChanges({ pool }: Pool, sql: string, values: readonly unknown[]): Promise<Change[]> {
  const { rows } = await pool.query<Row>(sql, [...values])
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    key: row.key,
    cause: row.cause,
    actorId: row.actor_id ?? 0,
    requestId: row.request_id ?? '',
    at: row.created_at.getTime(),
  }))
}

export async function deleteChanges({ pool }: Pool, changes: readonly Change[]): Promise<void> {
  if (changes.length > 0)
    await pool.query('delete from outbox where id = any($1)', [changes.map((change) => change.id)])
}

/** The numbers of all changes that are visible now. */
export async function readAllIds({ pool }: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>('select id from outbox order by id')
  return rows.map((row) => row.id)
}

export async function deleteIds({ pool }: Pool, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += DELETED_AT_ONCE) {
    await pool.query('delete from outbox where id = any($1)', [ids.slice(at, at + DELETED_AT_ONCE)])
  }
}

const DELETED_AT_ONCE = 50_000

/** The highest number given so far; 0 when the outbox is empty. */
export async function readLastId({ pool }: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('select coalesce(max(id), 0) as id from outbox')
  return rows[0]?.id ?? 0
}

/**
 * Milliseconds: later reads of the outbox see every change made until then. An open transaction that writes holds it back to its own
 * beginning.
 */
export async function readHorizon({ pool }: Pool): Promise<number> {
  const { rows } = await pool.query<{ at: Date }>(
    `select least(clock_timestamp(), min(xact_start)) as at from pg_stat_activity
      where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()`,
  )
  return rows[0]?.at.getTime() ?? 0
}

/** Milliseconds of the oldest change that waits; undefined when none does. A second earlier than its row says, for rows numbered side by side. */
export async function readOldest({ pool }: Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ created_at: Date }>('select created_at from outbox order by id limit 1')
  const first = rows[0]?.created_at.getTime()
  return first === undefined ? undefined : first - 1000
}
