// The store: lists, looks up, reads, creates, updates and deletes rows of entities in PostgreSQL. It applies the scope; callers check access.

import type { Entity } from '@tributary/contract/entity'
import type { ListAnswer, ListQuery, LookupAnswer } from '@tributary/contract/list-query'
import { sql } from 'kysely'
import { AppError } from '../../lib/app-error.ts'
import { isWorthRepeating } from '../../postgres/constraints.ts'
import { listRows, lookUpRows } from './list/list.ts'
import { answerAllOnOnePage } from './list/params.ts'
import type { Row } from './model/model.ts'
import { type Db, type RequestContext, withoutScope } from './model/request-context.ts'
import { readRow } from './read/row.ts'
import { createIdempotently } from './save/idempotency.ts'
import { findReferrers, InUseError, removeRow } from './save/remove.ts'
import { saveRow } from './save/save.ts'

const ATTEMPTS = 3

/** Key of an updated row that holds notices for the user. */
export const NOTICES = 'notices'

/** How to read one row. */
export interface ReadOptions {
  /** Include nested collections. */
  readonly detailed: boolean
}

/** Lists one page, or all rows for `limit=-1`. Throws `page_too_deep` or `invalid`. */
export const listEntity = (
  context: RequestContext,
  entity: Entity,
  query: ListQuery,
  reading: ReadOptions,
): Promise<ListAnswer<Row>> =>
  answerAllOnOnePage(query, (page) => listRows(context.engines.postgres.db, context, entity, page, reading))

/** Lists select options. Throws `page_too_deep` or `invalid`. */
export const lookUpEntity = (context: RequestContext, entity: Entity, query: ListQuery): Promise<LookupAnswer> =>
  answerAllOnOnePage(query, (page) => lookUpRows(context.engines.postgres.db, context, entity, page))

/** Reads one row. Throws `not_found` if it is absent or out of scope. */
export async function readEntity(
  context: RequestContext,
  entity: Entity,
  id: number,
  reading: ReadOptions,
): Promise<Row> {
  const row = await readRow(context.engines.postgres.db, context, entity, id, reading)
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** Returns the new row. A repeated call with the same `onceKey` returns the first call's row. Throws `invalid` or `conflict`. */
export async function createEntity(
  context: RequestContext,
  entity: Entity,
  body: Row,
  reading: ReadOptions,
  onceKey?: string,
): Promise<Row> {
  const { id, notices = [] } = await changeRecord(context, `create ${entity.name}`, (db) => {
    const create = () => saveRow(db, context, entity, null, body)
    return onceKey === undefined ? create() : createIdempotently(db, context, entity, body, onceKey, create)
  })
  // The scope was computed before the row existed; its creator may see it.
  const row = await readEntity(withoutScope(context), entity, id, reading)
  return notices.length === 0 ? row : { ...row, [NOTICES]: notices }
}

/** Returns the updated row, with NOTICES if there are any. Throws `not_found`, `stale` or `invalid`. */
export async function updateEntity(
  context: RequestContext,
  entity: Entity,
  id: number,
  body: Row,
  reading: ReadOptions,
): Promise<Row> {
  const { notices } = await changeRecord(context, `update ${entity.name}`, (db) =>
    saveRow(db, context, entity, id, body),
  )
  const row = await readEntity(context, entity, id, reading)
  return notices.length === 0 ? row : { ...row, [NOTICES]: notices }
}

/** Deletes one row. Throws `not_found`, `conflict` or `in_use`. */
export async function removeEntity(context: RequestContext, entity: Entity, id: number): Promise<void> {
  await changeRecord(context, `delete ${entity.name}`, (db) => removeRow(db, context, entity, id))
}

/**
 * Runs a change that writes its own audit entries in one transaction, and repeats it after a serialization failure, so `change` must have no
 * effects outside the database. Throws `in_use` with the referrers of a row that could not be deleted.
 */
export async function changeRecord<T>(
  context: RequestContext,
  cause: string,
  change: (db: Db) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await changeSigned(context, cause, async (trx) => {
        await sql`select set_config('tributary.audited', 'yes', true)`.execute(trx)
        return change(trx)
      })
    } catch (error) {
      if (error instanceof InUseError)
        throw new AppError('in_use', { references: await findReferrers(context.engines.postgres.db, context, error) })
      if (attempt >= ATTEMPTS || !isWorthRepeating(error)) throw error
    }
  }
}

/** Runs a transaction with user, cause and request id set for the triggers that audit rows written outside the store. */
export function changeSigned<T>(
  { engines, userId, requestId }: Pick<RequestContext, 'engines' | 'userId' | 'requestId'>,
  cause: string,
  change: (db: Db) => Promise<T>,
): Promise<T> {
  return engines.postgres.withTransaction(async (trx) => {
    await sql`select set_config('tributary.actor', ${String(userId)}, true), set_config('tributary.cause', ${cause}, true),
      set_config('tributary.request', ${requestId}, true)`.execute(trx)
    return change(trx)
  })
}
