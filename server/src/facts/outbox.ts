// Reads the outbox: the keys of changed rows. Changes are deleted by id once their facts are in ClickHouse, not up to a highest id, because
// a transaction may commit after another one with higher ids.

import type { Postgres } from '../postgres/client.ts'
import type { Cause } from './cause.ts'

type Pool = Pick<Postgres, 'pool'>

/** Kinds whose key identifies a player, spend or partner directly. All other kinds are wide: they are expanded to such keys. */
const DIRECT_KINDS = ['player', 'spend', 'partner'] as const

/** A changed key of the outbox. `kind` names its table or scope. */
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

/** The next changes that affect one player or spend each, after the change with the id `after`. */
export const readDirectChanges = (postgres: Pool, limit: number, after: number): Promise<Change[]> =>
  readChanges(postgres, `${COLUMNS} where kind = any($1) and id > $3 order by id limit $2`, [
    DIRECT_KINDS,
    limit,
    after,
  ])

/** The next changes that affect many facts: terms, rates, settings. */
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

/** Deletes changes whose facts are written. */
export async function deleteChanges({ pool }: Pool, changes: readonly Change[]): Promise<void> {
  if (changes.length > 0)
    await pool.query('delete from outbox where id = any($1)', [changes.map((change) => change.id)])
}

/** The ids of all changes that are visible now. */
export async function readAllChangeIds({ pool }: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>('select id from outbox order by id')
  return rows.map((row) => row.id)
}

/** Deletes changes by their ids, many at a time. */
export async function deleteChangeIds({ pool }: Pool, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += DELETED_AT_ONCE) {
    await pool.query('delete from outbox where id = any($1)', [ids.slice(at, at + DELETED_AT_ONCE)])
  }
}

const DELETED_AT_ONCE = 50_000

/** The highest visible id; 0 when the outbox is empty. */
export async function readLastChangeId({ pool }: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('select coalesce(max(id), 0) as id from outbox')
  return rows[0]?.id ?? 0
}

/**
 * Milliseconds since 1970: later reads of the outbox see every change made until then. It is at most the start of the oldest open transaction
 * that writes.
 */
export async function readHorizon({ pool }: Pool): Promise<number> {
  const { rows } = await pool.query<{ at: Date }>(
    `select least(clock_timestamp(), min(xact_start)) as at from pg_stat_activity
      where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()`,
  )
  return rows[0]?.at.getTime() ?? 0
}

/** Milliseconds of the oldest waiting change, minus a second, because concurrent rows may be older than the lowest id; undefined if none waits. */
export async function readOldestChangeTime({ pool }: Pool): Promise<number | undefined> {
  const { rows } = await pool.query<{ created_at: Date }>('select created_at from outbox order by id limit 1')
  const first = rows[0]?.created_at.getTime()
  return first === undefined ? undefined : first - 1000
}
