// Saves the collections of a row: new, changed and deleted rows of another entity that refer to it. Errors name index and field.

import { setImmediate } from 'node:timers/promises'
import { isAllowed } from '@tributary/contract/access'
import { type Entity, ROW_STATUSES, type RowStatus } from '@tributary/contract/entity'
import type { ChildrenField } from '@tributary/contract/field'
import type { Issue } from '@tributary/contract/validate'
import { AppError, type IssueTree } from '../../../lib/app-error.ts'
import type { Change, CollectionParent, SaveRow } from '../model/entity-rules.ts'
import { entityNamed, fieldsOf, type Row } from '../model/model.ts'
import { removeRow } from './remove.ts'
import { deferConstraints, settleConstraints } from './write.ts'

/** Rows saved before the event loop handles other requests. */
const ROWS_AT_ONCE = 100

interface Item {
  index: number
  status: RowStatus
  id: number | null
  body: Row
}

/** True if a row changed. Throws `invalid` or `forbidden`. */
export async function saveCollections(change: Change, parentId: number, save: SaveRow): Promise<boolean> {
  let hasChanged = false
  const issues: IssueTree = {}
  for (const [name, rows] of Object.entries(change.collections)) {
    const field = fieldsOf(change.entity).get(name)
    if (field?.kind !== 'children' || rows.length === 0) continue
    const outcome = await saveCollection(change, field, rows, parentId, save)
    hasChanged ||= outcome.hasChanged
    if (Object.keys(outcome.issues).length > 0) issues[name] = outcome.issues
    // A failed statement broke the transaction: it can only be rolled back.
    if (outcome.cause !== undefined) throw new AppError('invalid', { issues }, { cause: outcome.cause })
  }
  if (Object.keys(issues).length > 0) throw new AppError('invalid', { issues })
  return hasChanged
}

interface Outcome {
  hasChanged: boolean
  issues: IssueTree
  cause: unknown
}

/** Deletes first and adds last, so that a row can replace another. Constraints are checked when all rows are written. */
async function saveCollection(
  change: Change,
  field: ChildrenField,
  rows: readonly Row[],
  parentId: number,
  save: SaveRow,
): Promise<Outcome> {
  const outcome: Outcome = { hasChanged: false, issues: {}, cause: undefined }
  const items = readItems(rows, outcome.issues)
  await deferConstraints(change.db)
  for (const [position, item] of items.entries()) {
    // Rows that are rejected without a database query never yield, so that many of them would block the event loop.
    if (position % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await setImmediate()
    const saving = saveItem(change, entityNamed(field.of), item, { field: field.by, id: parentId }, save)
    const result = await saving.catch(nameIssues)
    if (typeof result === 'boolean') {
      outcome.hasChanged ||= result
      continue
    }
    outcome.issues[String(item.index)] = result.issues
    outcome.cause = result.cause
    if (result.cause !== undefined) return outcome
  }
  const late = await settleConstraints(change.db).then(() => undefined, nameIssues)
  if (late === undefined) return outcome
  outcome.issues[String(items.at(-1)?.index ?? 0)] = late.issues
  outcome.cause = late.cause
  return outcome
}

const ORDER: Record<RowStatus, number> = { deleted: 0, updated: 1, new: 2 }

function readItems(rows: readonly Row[], issues: IssueTree): Item[] {
  const items: Item[] = []
  for (const [index, body] of rows.entries()) {
    const item = readItem(index, body)
    if (item === undefined) issues[String(index)] = { _status: [{ key: 'value_invalid' }] }
    else items.push(item)
  }
  return items.sort((a, b) => ORDER[a.status] - ORDER[b.status])
}

/** A row with an id is an update, any other is new, unless `_status` says otherwise. Undefined if they contradict. */
function readItem(index: number, { id, _status, ...body }: Row): Item | undefined {
  const known = typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : null
  if (known === null && id !== undefined && id !== null && typeof id !== 'string') return undefined
  const status = _status ?? (known === null ? 'new' : 'updated')
  if (!isStatus(status)) return undefined
  // The row was added and deleted again before saving.
  if (known === null && status === 'deleted') return { index, status, id: null, body }
  if ((known === null) !== (status === 'new')) return undefined
  return { index, status, id: known, body }
}

const isStatus = (value: unknown): value is RowStatus => ROW_STATUSES.some((status) => status === value)

async function saveItem(
  { db, context }: Change,
  entity: Entity,
  item: Item,
  parent: CollectionParent,
  save: SaveRow,
): Promise<boolean> {
  const { status, id, body } = item
  if (status === 'deleted' && id === null) return false
  const { create, edit, remove } = entity.access
  if (!isAllowed({ new: create, updated: edit, deleted: remove }[status], context.holder))
    throw new AppError('forbidden')
  if (status !== 'deleted' || id === null) return (await save(db, context, entity, id, body, parent)).hasChanged
  await removeRow(db, context, entity, id, parent)
  return true
}

interface Failure {
  issues: IssueTree | readonly Issue[]
  cause: unknown
}

/** Issues of a failed row. Throws errors that are not about a field. */
function nameIssues(error: unknown): Failure {
  if (!(error instanceof AppError)) throw error
  if (error.code === 'not_found') return { issues: { id: [{ key: 'reference_missing' }] }, cause: undefined }
  if (error.code === 'invalid' && error.details.issues !== undefined)
    return { issues: error.details.issues, cause: error.cause }
  throw error
}
