// What a noun may decide beside the generic store. A rule sees one change, inside its transaction; it refuses by field, or fills values in.

import type { Entity } from '@tributary/contract/entity'
import type { Issue } from '@tributary/contract/validate'
import type { MessageKey } from '@tributary/contract/words/messages'
import type { Row } from './model.ts'
import type { Db, RequestContext } from './request-context.ts'

/** A row as it is stored: references as ids, many-to-many as sorted ids. */
export type Snapshot = Row & { id: number; version?: number; active?: boolean }

export interface Change {
  readonly db: Db
  readonly context: RequestContext
  readonly entity: Entity
  readonly action: 'create' | 'update' | 'delete'
  /** Null when the row is being made. */
  readonly before: Snapshot | null
  /** What is written: own columns, references as ids, many-to-many as ids. A rule may add to it. */
  readonly values: Row
  /** The collections of the request, as they came. */
  readonly collections: Readonly<Record<string, readonly Row[]>>
  /** The value that the field will have. */
  valueOf(field: string): unknown
  /** `mend`: the record where what is missing can be set right. */
  refuse(field: string, key: MessageKey, values?: Issue['values'], mend?: Issue['mend']): void
  /** What the person should know of a change that is made all the same. */
  note(key: MessageKey): void
  readonly notices: MessageKey[]
}

/** The row that owns the collection which a saved row is in. */
export interface CollectionParent {
  readonly field: string
  readonly id: number
}

export interface SaveResult {
  readonly id: number
  readonly hasChanged: boolean
  readonly notices: readonly MessageKey[]
}

/** `id` null makes a new row. Throws `not_found`, `stale` or `invalid`. */
export type SaveRow = (
  db: Db,
  context: RequestContext,
  entity: Entity,
  id: number | null,
  body: Row,
  parent?: CollectionParent,
  kept?: Row,
) => Promise<SaveResult>

export interface EntityRules {
  /** Values of a new row that the caller does not choose. */
  initial?(context: RequestContext): Row
  /** Before anything is written: defaults, and what the noun forbids. */
  prepare?(change: Change): Promise<void>
  /** After the row, and before its collections: what belongs to it and nobody asked for. */
  complete?(change: Change, id: number): Promise<void>
  /** Before a row is deleted. */
  prepareRemoval?(change: Change): Promise<void>
  /** Adds derived fields to rows that have been read; what their reader may not see is taken away afterwards. */
  derive?(db: Db, rows: readonly Row[], context: RequestContext): Promise<void>
}

export const isCreating = (change: Change): boolean => change.action === 'create'

/** The id that a reference will have; null when it is empty or no id. */
export function idOf(change: Change, field: string): number | null {
  const value = change.valueOf(field)
  return typeof value === 'number' ? value : null
}

/** True when the change gives the field another value than it has. */
export function isChanging(change: Change, field: string): boolean {
  return Object.hasOwn(change.values, field) && change.values[field] !== change.before?.[field]
}
