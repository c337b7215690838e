// A record that comes back as it was read: references as objects, and fields that no request may set. Where it repeats what stands, it says nothing.

import { isDeepStrictEqual } from 'node:util'
import type { Entity } from '@tributary/contract/entity'
import { isWritable } from '@tributary/contract/validate'
import { fieldsOf, type Row } from './model.ts'
import { readRow } from './read.ts'
import { type Db, isVisible, type RequestContext } from './request-context.ts'
import { idIn } from './request-row.ts'
import type { Parent, Snapshot } from './rules.ts'

/** Without what is not to be set and is as it stands; what differs stays, and is refused. */
export async function withoutEcho(
  db: Db,
  context: RequestContext,
  entity: Entity,
  before: Snapshot,
  body: Row,
  parent: Parent | undefined,
): Promise<Row> {
  const suspects = Object.keys(body).filter((name) => isUnset(context, entity, name, parent))
  if (suspects.length === 0) return body
  const current = (await readRow(db, context, entity, before.id, { detailed: true })) ?? {}
  // Through JSON, as the sender has read it.
  const read: Row = JSON.parse(JSON.stringify(current))
  const repeats = (name: string): boolean =>
    name === parent?.field ? idIn(body[name]) === parent.id : isDeepStrictEqual(body[name], read[name])
  const echoes = new Set(suspects.filter(repeats))
  return Object.fromEntries(Object.entries(body).filter(([name]) => !echoes.has(name)))
}

function isUnset(context: RequestContext, entity: Entity, name: string, parent: Parent | undefined): boolean {
  const field = fieldsOf(entity).get(name)
  return field !== undefined && isVisible(context, field) && (name === parent?.field || !isWritable(field, true))
}
