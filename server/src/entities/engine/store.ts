// The doors to every entity of the record: list, look up, read, create, change, delete. The row scope is applied behind each of them; who
// may use a door at all is asked before it.

import type { Entity } from '@tributary/contract/entity'
import type { ListAnswer, ListQuery, LookupAnswer } from '@tributary/contract/list-query'
import { sql } from 'kysely'
import { AppError } from '../../lib/app-error.ts'
import { isWorthRepeating } from '../../postgres/constraints.ts'
import { answerAllOnOnePage } from './list/all-on-one-page.ts'
import { listRows, lookUpRows } from './list/list.ts'
import type { Row } from './model/model.ts'
import { type Db, type RequestContext, withoutScope } from './model/request-context.ts'
import { readRow } from './read/row.ts'
import { createIdempotently } from './save/idempotency.ts'
import { findReferrers, InUseError, removeRow } from './save/remove.ts'
import { saveRow } from './save/save.ts'

const ATTEMPTS = 3

/** Where a changed row carries the keys of what the person should know of the change; the API says them in their language. */
export const NOTICES = 'notices'

export interface ReadOptions {
  /** Nested collections, too. */
  readonly detailed: boolean
}

export const listEntity = (
  context: RequestContext,
  entity: Entity,
  query: ListQuery,
  reading: ReadOptions,
): Promise<ListAnswer<Row>> =>
  answerAllOnOnePage(query, (page) => listRows(context.engines.postgres.db, context, entity, page, reading))

export const lookUpEntity = (context: RequestContext, entity: Entity, query: ListQuery): Promise<LookupAnswer> =>
  answerAllOnOnePage(query, (page) => lookUpRows(context.engines.postgres.db, context, entity, page))

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

/** `onceKey`: the creation that is sent again under it makes nothing, and answers what was made. */
export async function createEntity(
  context: RequestContext,
  entity: Entity,
  body: Row,
  reading: ReadOptions,
  onceKey?: string,
): Promise<Row> {
  const { id } = await changeRecord(context, `create ${entity.name}`, (db) => {
    const create = () => saveRow(db, context, entity, null, body)
    return onceKey === undefined ? create() : createIdempotently(db, context, entity, body, onceKey, create)
  })
  // The scope was taken before the row existed: who made it is shown it.
  return readEntity(withoutScope(context), entity, id, reading)
}

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

export async function removeEntity(context: RequestContext, entity: Entity, id: number): Promise<void> {
  await changeRecord(context, `delete ${entity.name}`, (db) => removeRow(db, context, entity, id))
}

/**
 * Runs a change of the store, which writes its own entries of the audit log, in one signed transaction. Run again when it met another one;
 * `change` must therefore have no effect outside the database.
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

/**
 * One transaction in the person's name: triggers write who, why and which request beside what it changes. For rows that are written past the
 * store; triggers audit them.
 */
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
