// Undoes what a user has just done: returns the rows to what they were before some requests of theirs.

import { UNDO_CAP, UNDO_MINUTES } from '@tributary/contract/calls/audit-log'
import { isWritable } from '@tributary/contract/validate'
import { sql } from 'kysely'
import { AppError, invalidField } from '../../../lib/app-error.ts'
import { entityNamed, fieldsOf, type Row, typed } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'
import { isSameValue } from '../model/same-value.ts'
import { lockSnapshot } from '../read/snapshot.ts'
import { removeRow } from '../save/remove.ts'
import { findEntity } from './history.ts'
import { restoreRow } from './restore.ts'

interface Act {
  readonly id: number
  readonly action: string
  readonly entity: string
  readonly entityId: number | null
  /** It is a row of a record's collection. */
  readonly isOwned: boolean
  readonly before: Row | null
  readonly after: Row | null
  /** Another request has changed the row since. */
  readonly isOutdated: boolean
}

/**
 * Undoes changes and deletions by these requests of the user, and returns the number of restored rows. Rules apply as in restoreRow. Throws
 * `not_found` if there is nothing to undo, and `invalid` if it cannot be undone: a record was created, a row has been changed since, or there are
 * too many.
 */
export async function undoRequests(db: Db, context: RequestContext, requests: readonly string[]): Promise<number> {
  const acts = await readActs(db, context.userId, requests)
  if (acts.length === 0) throw new AppError('not_found')
  if (acts.length > UNDO_CAP) throw invalidField('requests', 'undo_too_many', { max: UNDO_CAP })
  if (acts.some((act) => !isUndoable(act))) throw invalidField('requests', 'undo_impossible')
  if (acts.some(({ isOutdated }) => isOutdated)) throw invalidField('requests', 'undo_outdated')
  for (const act of acts.filter(({ action }) => action !== 'delete').toReversed()) {
    if (act.action === 'update') await restoreRow(db, context, act.id, 'before')
    else if (await exists(db, context, act)) await removeRow(db, context, entityNamed(act.entity), act.entityId ?? 0)
  }
  // In order: a row comes back with the rows of its collections, which were deleted after it.
  const deletions = acts.filter(({ action }) => action === 'delete')
  for (const act of deletions) if (!(await exists(db, context, act))) await restoreRow(db, context, act.id, 'before')
  return acts.length
}

/** Fields that no request can set are left to the calls that set them. */
function isUndoable({ action, entity: name, isOwned, before, after }: Act): boolean {
  const entity = findEntity(name)
  if (entity === undefined) return false
  if (before === null) return action === 'create' && isOwned
  if (action !== 'update' || after === null) return action === 'delete'
  return fieldsOf(entity)
    .entries()
    .some(
      ([field, declared]) =>
        Object.hasOwn(before, field) &&
        isWritable(declared, false) &&
        !isSameValue(declared, before[field], after[field]),
    )
}

async function readActs(db: Db, user: number, requests: readonly string[]): Promise<readonly Act[]> {
  const { rows } =
    await sql<Act>`select a.id, a.action, a.entity, a.entity_id as "entityId", a.of_id is not null as "isOwned", a.before, a.after, exists (
      select from audit_log as later where later.entity = a.entity and later.entity_id = a.entity_id and later.id > a.id
        and coalesce(later.request_id <> all(${requests}::text[]), true)
    ) as "isOutdated"
    from audit_log as a where a.request_id = any(${requests}::text[]) and a.user_id = ${typed(user, 'int')}
      and a.at > now() - make_interval(mins => ${UNDO_MINUTES}) order by a.id limit ${UNDO_CAP + 1}`.execute(db)
  return rows
}

const exists = async (db: Db, context: RequestContext, { entity, entityId }: Act): Promise<boolean> =>
  entityId !== null && (await lockSnapshot(db, context, entityNamed(entity), entityId)) !== undefined
