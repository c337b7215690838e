// Drops read-only fields with unchanged values from a request, so that clients may send a record back as they read it.

import { isDeepStrictEqual } from 'node:util'
import type { Entity } from '@tributary/contract/entity'
import { isWritable } from '@tributary/contract/validate'
import type { CollectionParent } from '../model/entity-rules.ts'
import { fieldsOf, type Row } from '../model/model.ts'
import { type Db, isVisible, type RequestContext } from '../model/request-context.ts'
import { completeRows } from '../read/row.ts'
import type { LockedRow } from '../read/snapshot.ts'
import { referencedId } from './request-row.ts'

/** `sent`: read-only fields that the request contains. `read`: fields to read from the stored row to compare them. */
export interface ReadOnlyFields {
  readonly sent: readonly string[]
  readonly read: ReadonlySet<string>
}

/** `parent` is set for a row of a collection: its reference is read-only too. */
export function findReadOnly(
  context: RequestContext,
  entity: Entity,
  body: Row,
  parent: CollectionParent | undefined,
): ReadOnlyFields {
  const fields = fieldsOf(entity)
  const sent = Object.keys(body).filter((name) => isReadOnlyFor(context, entity, name, parent))
  // A derived field may depend on any other.
  const isDerived = sent.some((name) => fields.get(name)?.kind === 'derived')
  return { sent, read: new Set(isDerived ? fields.keys() : sent) }
}

/** Returns the body without unchanged read-only fields. Changed ones stay, to be rejected. */
export async function dropUnchangedReadOnly(
  db: Db,
  context: RequestContext,
  entity: Entity,
  { shown }: LockedRow,
  body: Row,
  parent: CollectionParent | undefined,
  { sent }: ReadOnlyFields,
): Promise<Row> {
  if (sent.length === 0) return body
  const fields = fieldsOf(entity)
  const kinds = new Set(sent.map((name) => fields.get(name)?.kind))
  const current: Row = { ...shown }
  if (kinds.has('derived') || kinds.has('children'))
    await completeRows(db, context, entity, [current], kinds.has('children'))
  // Through JSON, as the client received it.
  const read: Row = JSON.parse(JSON.stringify(current))
  const isUnchanged = (name: string): boolean =>
    name === parent?.field ? referencedId(body[name]) === parent.id : isDeepStrictEqual(body[name], read[name])
  const unchanged = new Set(sent.filter(isUnchanged))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !unchanged.has(name)))
}

function isReadOnlyFor(
  context: RequestContext,
  entity: Entity,
  name: string,
  parent: CollectionParent | undefined,
): boolean {
  const field = fieldsOf(entity).get(name)
  return field !== undefined && isVisible(context, field) && (name === parent?.field || !isWritable(field, true))
}
