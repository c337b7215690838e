// Saves one row with its collections within a transaction: check, rules, write, audit.

import type { Entity } from '@tributary/contract/entity'
import { maySet } from '@tributary/contract/field'
import type { MessageKey } from '@tributary/contract/words/messages'
import { AppError, type IssueTree } from '../../../lib/app-error.ts'
import { RULES } from '../../rules/registry.ts'
import { writeAudit } from '../audit/entry.ts'
import { auditMirrors } from '../audit/related-entries.ts'
import {
  addIssue,
  type Change,
  type CollectionParent,
  makeChange,
  type SaveResult,
  type SaveRow,
  type Snapshot,
} from '../model/entity-rules.ts'
import { fieldsOf, type Row } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'
import { isSameValue } from '../model/same-value.ts'
import { readRow } from '../read/row.ts'
import { type LockedRow, lockAndRead, lockSnapshot, readSnapshot } from '../read/snapshot.ts'
import { saveCollections } from './collection.ts'
import { dropUnchangedReadOnly, findReadOnly } from './read-only-fields.ts'
import { findBrokenReferences, keepHiddenReferences } from './reference-check.ts'
import { findEmptyRequired, findWrongPercentages, type RequestRow, readRequestRow } from './request-row.ts'
import { insertRow, updateRow } from './write.ts'

/**
 * Creates a row if `id` is null, otherwise updates it. `restored`: values of a restored row that no request may set (id, codes). An update locks
 * and reads the row in one statement. Throws `not_found`, `stale` or `invalid`.
 */
export const saveRow: SaveRow = async (db, context, entity, id, body, parent, restored) => {
  const readOnly = findReadOnly(context, entity, body, parent)
  const locked = id === null ? null : await lockRow(db, context, entity, id, parent, readOnly.read)
  const before = locked?.stored ?? null
  const changedBody =
    locked === null ? body : await dropUnchangedReadOnly(db, context, entity, locked, body, parent, readOnly)
  const request = readRequestRow(context, entity, changedBody, {
    creating: id === null,
    ...(parent ? { parentField: parent.field } : {}),
  })
  if (before !== null) await rejectStale(db, context, entity, before, request)
  if (parent !== undefined && before === null) request.values[parent.field] = parent.id
  const given = new Set(Object.keys(request.values))
  if (before === null) fillDefaults(entity, request.values)
  else {
    await keepHiddenReferences(db, context, entity, request.values, before)
    dropUnchanged(entity, before, request)
  }
  const initial = before === null ? RULES[entity.name]?.initial?.(context) : undefined
  rejectUnsettable(context, entity, request, initial)
  Object.assign(request.values, initial, restored)
  const change = describeChange(db, context, entity, before, { ...request, given })
  await RULES[entity.name]?.prepare?.(change)
  await checkChange(change, request.issues, parent)
  const saved = await write(change)
  if (before === null && restored === undefined) await RULES[entity.name]?.afterCreate?.(change, saved.id)
  const hasChangedRows = await saveCollections(change, saved.id, saveRow)
  if (hasChangedRows && before !== null && !saved.hasChanged) await updateRow(db, entity, saved.id, {})
  await audit(change, saved)
  await RULES[entity.name]?.finish?.(change, saved.id)
  return { id: saved.id, hasChanged: saved.hasChanged || hasChangedRows, notices: change.notices }
}

async function lockRow(
  db: Db,
  context: RequestContext,
  entity: Entity,
  id: number,
  parent: CollectionParent | undefined,
  names: ReadonlySet<string>,
): Promise<LockedRow> {
  const locked =
    names.size > 0
      ? await lockAndRead(db, context, entity, id, names)
      : await lockSnapshot(db, context, entity, id).then((stored) => stored && { stored, shown: {} })
  if (locked === undefined || (parent !== undefined && locked.stored[parent.field] !== parent.id))
    throw new AppError('not_found')
  return locked
}

async function rejectStale(
  db: Db,
  context: RequestContext,
  entity: Entity,
  before: Snapshot,
  { version }: RequestRow,
): Promise<void> {
  if (version === undefined || version === before.version) return
  throw new AppError('stale', { current: await readRow(db, context, entity, before.id, { detailed: true }) })
}

function fillDefaults(entity: Entity, values: Row): void {
  if (entity.hasActive) values.active ??= true
}

/** Drops unchanged values; rejects changed values of fixed fields. */
function dropUnchanged(entity: Entity, before: Snapshot, request: RequestRow): void {
  for (const [name, field] of fieldsOf(entity)) {
    if (!Object.hasOwn(request.values, name)) continue
    if (isSameValue(field, request.values[name], before[name])) Reflect.deleteProperty(request.values, name)
    else if (field.fixed) request.issues[name] = [{ key: 'fixed' }]
  }
}

/** Rejects fields that the caller's role may not set, unless the value equals the initial one. */
function rejectUnsettable({ holder }: RequestContext, entity: Entity, request: RequestRow, initial: Row = {}): void {
  for (const [name, field] of fieldsOf(entity)) {
    if (!Object.hasOwn(request.values, name) || maySet(field, holder.role)) continue
    if (!isSameValue(field, request.values[name], initial[name])) request.issues[name] = [{ key: 'read_only' }]
  }
}

function describeChange(
  db: Db,
  context: RequestContext,
  entity: Entity,
  before: Snapshot | null,
  { values, given, collections, issues }: RequestRow & Pick<Change, 'given'>,
): Change {
  const action = before === null ? 'create' : 'update'
  return makeChange({ db, context, entity, action, before, values, given, collections }, issues)
}

async function checkChange(change: Change, issues: IssueTree, parent: CollectionParent | undefined): Promise<void> {
  const { db, context, entity, values, before } = change
  if (before === null) {
    for (const name of findEmptyRequired(entity, values))
      if (issues[name] === undefined) addIssue(issues, name, { key: 'required' })
  }
  for (const [name, issue] of findWrongPercentages(entity, values, before))
    if (issues[name] === undefined) addIssue(issues, name, issue)
  const broken: [string, MessageKey][] = await findBrokenReferences(db, context, entity, values, before, parent?.field)
  // A rule's own message is more specific.
  for (const [field, key] of broken) if (issues[field] === undefined) addIssue(issues, field, { key })
  if (Object.keys(issues).length > 0) throw new AppError('invalid', { issues })
}

interface WriteResult extends Omit<SaveResult, 'notices'> {
  /** Snapshot after an update. A new row is read once its rules are complete. */
  readonly after?: Row
}

async function write({ db, entity, before, values }: Change): Promise<WriteResult> {
  if (before === null) return { id: await insertRow(db, entity, values), hasChanged: true }
  const changed = findChanged(entity, before, values)
  if (Object.keys(changed).length === 0) return { id: before.id, hasChanged: false }
  return { id: before.id, hasChanged: true, after: await updateRow(db, entity, before.id, changed) }
}

/** Values that the row does not hold yet; rules may have set others again. */
const findChanged = (entity: Entity, before: Snapshot, values: Row): Row =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      const field = fieldsOf(entity).get(name)
      return field === undefined || !isSameValue(field, value, before[name])
    }),
  )

async function audit(
  { db, context, entity, before, action }: Change,
  { id, hasChanged, ...written }: WriteResult,
): Promise<void> {
  if (!hasChanged) return
  const after = written.after ?? (await readSnapshot(db, entity, id)) ?? null
  await writeAudit(db, context, { action, entity, id, before, after })
  await auditMirrors(db, context, entity, id, before, after)
}
