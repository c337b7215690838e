// Undoes what a user has just done: returns the rows to what they were before some requests of theirs.

import { isAllowed } from '@tributary/contract/access'
import { UNDO_CAP, UNDO_MINUTES } from '@tributary/contract/calls/audit-log'
import { isWritable } from '@tributary/contract/validate'
import { sql } from 'kysely'
import { AppError, invalidField } from '../../../lib/app-error.ts'
import { RULES } from '../../rules/registry.ts'
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
  /** Another request has changed the row since, or added rows to the new record. */
  readonly isOutdated: boolean
}

/**
 * Undoes what these requests of the user created, changed and deleted, and returns the number of rows. Rules apply as in restoreRow. Throws
 * `not_found` if there is nothing to undo, `in_use` if others refer to a created record, and `invalid` if it cannot be undone: the user may not
 * delete what was created, a row has been changed since, or there are too many.
 */
export async function undoRequests(db: Db, context: RequestContext, requests: readonly string[]): Promise<number> {
  const acts = await readActs(db, context.userId, requests)
  if (acts.length === 0) throw new AppError('not_found')
  if (acts.length > UNDO_CAP) throw invalidField('requests', 'undo_too_many', { max: UNDO_CAP })
  if (acts.some((act) => !isUndoable(act, context))) throw invalidField('requests', 'undo_impossible')
  if (acts.some(({ isOutdated }) => isOutdated)) throw invalidField('requests', 'undo_outdated')
  await undoFields(db, context, acts)
  for (const act of acts.filter(({ action }) => action !== 'delete').toReversed()) {
    if (act.action === 'update') {
      if (hasRestorableFields(act)) await restoreRow(db, context, act.id, 'before')
    } else if (await exists(db, context, act)) await removeRow(db, context, entityNamed(act.entity), act.entityId ?? 0)
  }
  // In order: a row comes back with the rows of its collections, which were deleted after it.
  const deletions = acts.filter(({ action }) => action === 'delete')
  for (const act of deletions) if (!(await exists(db, context, act))) await restoreRow(db, context, act.id, 'before')
  return acts.length
}

/** Fields that no save can set are left to the calls that set them, unless the entity's rules can undo them. */
function isUndoable(act: Act, context: RequestContext): boolean {
  const { action, entity: name, isOwned, before, after } = act
  if (findEntity(name) === undefined) return false
  if (before === null)
    return action === 'create' && (isOwned || isAllowed(entityNamed(name).access.remove, context.holder))
  if (action !== 'update' || after === null) return action === 'delete'
  return hasRestorableFields(act) || Object.keys(RULES[name]?.undo ?? {}).some((field) => hasChanged(act, field))
}

const hasRestorableFields = (act: Act): boolean =>
  fieldsOf(entityNamed(act.entity))
    .entries()
    .some(([field, declared]) => isWritable(declared, false) && hasChanged(act, field))

function hasChanged({ entity, before, after }: Act, name: string): boolean {
  const field = fieldsOf(entityNamed(entity)).get(name)
  if (field === undefined || before === null || after === null || !Object.hasOwn(before, name)) return false
  return !isSameValue(field, before[name], after[name])
}

/** Undoes the fields that only calls of their own set: each gets the value that it had before the first of the changes. */
async function undoFields(db: Db, context: RequestContext, acts: readonly Act[]): Promise<void> {
  const updates = acts.filter(({ action }) => action === 'update')
  for (const [name, ofEntity] of Map.groupBy(updates, ({ entity }) => entity)) {
    for (const [field, undoField] of Object.entries(RULES[name]?.undo ?? {})) {
      const former = new Map<number, unknown>()
      for (const act of ofEntity.filter((update) => hasChanged(update, field)).toReversed())
        if (act.entityId !== null) former.set(act.entityId, act.before?.[field])
      if (former.size > 0)
        await undoField(
          db,
          context,
          former
            .entries()
            .map(([id, value]) => ({ id, value }))
            .toArray(),
        )
    }
  }
}

async function readActs(db: Db, user: number, requests: readonly string[]): Promise<readonly Act[]> {
  const { rows } =
    await sql<Act>`select a.id, a.action, a.entity, a.entity_id as "entityId", a.of_id is not null as "isOwned", a.before, a.after, exists (
      select from audit_log as later where later.entity = a.entity and later.entity_id = a.entity_id and later.id > a.id
        and coalesce(later.request_id <> all(${requests}::text[]), true)
    ) or a.action = 'create' and exists (
      select from audit_log as later where later.of_entity = a.entity and later.of_id = a.entity_id and later.id > a.id
        and coalesce(later.request_id <> all(${requests}::text[]), true)
    ) as "isOutdated"
    from audit_log as a where a.request_id = any(${requests}::text[]) and a.user_id = ${typed(user, 'int')}
      and a.at > now() - make_interval(mins => ${UNDO_MINUTES}) order by a.id limit ${UNDO_CAP + 1}`.execute(db)
  return rows
}

const exists = async (db: Db, context: RequestContext, { entity, entityId }: Act): Promise<boolean> =>
  entityId !== null && (await lockSnapshot(db, context, entityNamed(entity), entityId)) !== undefined
