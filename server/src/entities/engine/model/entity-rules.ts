// Types and helpers of entity rules. A rule receives one change within its transaction and rejects fields or sets values.

import type { Entity } from '@tributary/contract/entity'
import type { Issue } from '@tributary/contract/validate'
import type { MessageKey } from '@tributary/contract/words/messages'
import type { IssueTree } from '../../../lib/app-error.ts'
import type { Row } from './model.ts'
import type { Db, RequestContext } from './request-context.ts'

/** A row as stored: references as ids, many-to-many fields as sorted ids. */
export type Snapshot = Row & { id: number; version?: number; active?: boolean }

/** A change of one row while rules check it. Rules write to `values` and reject fields. */
export interface Change {
  readonly db: Db
  readonly context: RequestContext
  readonly entity: Entity
  readonly action: 'create' | 'update' | 'delete'
  /** Null on creation. */
  readonly before: Snapshot | null
  /** Values to write, in the shape of a snapshot. Rules may add to it. */
  readonly values: Row
  /** Fields that the request contains, also with unchanged values. */
  readonly given: ReadonlySet<string>
  /** Collections of the request, unchecked. */
  readonly collections: Readonly<Record<string, readonly Row[]>>
  /** Value of the field after the change. */
  valueOf(field: string): unknown
  /** Adds an error to the field. `mend`: the record that the user can open to correct the cause. */
  reject(field: string, key: MessageKey, values?: Issue['values'], mend?: Issue['mend']): void
  /** True if the field has an error so far. */
  isRejected(field: string): boolean
  /** Adds a notice for the user; the change is saved nevertheless. */
  addNotice(key: MessageKey, values?: Issue['values']): void
  readonly notices: Issue[]
}

/** The row that owns the collection of a saved row: the reference field to it, and its id. */
export interface CollectionParent {
  readonly field: string
  readonly id: number
}

/** The outcome of a save. */
export interface SaveResult {
  readonly id: number
  readonly hasChanged: boolean
  readonly notices: readonly Issue[]
}

/** Saves one row; `id` null creates it. Throws `not_found`, `stale` or `invalid`. */
export type SaveRow = (
  db: Db,
  context: RequestContext,
  entity: Entity,
  id: number | null,
  body: Row,
  parent?: CollectionParent,
  restored?: Row,
) => Promise<SaveResult>

/** Behaviour of one entity beyond the generic engine. */
export interface EntityRules {
  /** Values of a new row that the caller cannot choose. */
  initial?(context: RequestContext): Row
  /** Before anything is written: sets defaults, rejects fields. */
  prepare?(change: Change): Promise<void>
  /** After a new row and before its collections: adds rows that belong to it. */
  afterCreate?(change: Change, id: number): Promise<void>
  /** After everything is written: adds notices about what the record holds now. */
  finish?(change: Change, id: number): Promise<void>
  /** Before a row is deleted; a rejected field prevents it. */
  prepareRemoval?(change: Change): Promise<void>
  /** Adds derived fields to rows that were read. Hidden ones are removed afterwards. */
  derive?(db: Db, rows: readonly Row[], context: RequestContext): Promise<void>
  /** Return fields that only a call of their own sets to their former values, so that what the call did can be undone. */
  readonly undo?: Readonly<Record<string, UndoField>>
}

/** The value that a field of a row had before a change. */
export interface FormerValue {
  readonly id: number
  readonly value: unknown
}

/** Throws `forbidden` if the user may not set the field. */
export type UndoField = (db: Db, context: RequestContext, former: readonly FormerValue[]) => Promise<void>

/** True if the change creates its row. */
export const isCreating = (change: Change): boolean => change.action === 'create'

/** Id that a reference has after the change; null if it is empty. */
export function idOf(change: Change, field: string): number | null {
  const value = change.valueOf(field)
  return typeof value === 'number' ? value : null
}

/** True if the change gives the field another value. */
export function isChanging(change: Change, field: string): boolean {
  return Object.hasOwn(change.values, field) && change.values[field] !== change.before?.[field]
}

/** Builds the change that rules receive. Rejections are added to `issues`. */
export function makeChange(
  given: Omit<Change, 'valueOf' | 'reject' | 'isRejected' | 'addNotice' | 'notices'>,
  issues: IssueTree,
): Change {
  const { values, before } = given
  const notices: Issue[] = []
  return {
    ...given,
    valueOf: (field) => (Object.hasOwn(values, field) ? values[field] : before?.[field]),
    reject: (field, key, placeholders, mend) =>
      addIssue(issues, field, { key, ...(placeholders && { values: placeholders }), ...(mend && { mend }) }),
    isRejected: (field) => issues[field] !== undefined,
    notices,
    addNotice: (key, placeholders) => void notices.push({ key, ...(placeholders && { values: placeholders }) }),
  }
}

/** Adds an issue to a field, unless the field has one with the same key. */
export function addIssue(issues: IssueTree, field: string, issue: Issue): void {
  const existing = issues[field]
  if (existing === undefined) issues[field] = [issue]
  else if (Array.isArray(existing) && !existing.some((other: Issue) => other.key === issue.key))
    issues[field] = [...existing, issue]
}
