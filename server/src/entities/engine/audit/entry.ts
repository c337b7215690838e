// Writes the audit log: one entry per changed row, in the transaction of the change. An entry of a collection row also names the owning record,
// so that the record's history is complete.

import type { Entity } from '@tributary/contract/entity'
import { sql } from 'kysely'
import { entityNamed, type Fragment, fieldsOf, isOwned, type Row, tableOf, typed } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'

/** Snapshots before and after; null before a creation and after a deletion. */
export interface AuditEntry {
  action: 'create' | 'update' | 'delete'
  entity: Entity
  id: number
  before: Row | null
  after: Row | null
}

interface Owner {
  readonly entity: string
  readonly id: number
}

/** Adds one entry. The cause comes from the transaction's setting `tributary.cause`. */
export async function writeAudit(
  db: Db,
  context: RequestContext,
  { action, entity, id, before, after }: AuditEntry,
): Promise<void> {
  const json = (row: Row | null): Fragment => typed(row === null ? null : JSON.stringify(row), 'jsonb')
  const owner = await findOwner(db, entity, after ?? before)
  await sql`insert into audit_log (user_id, action, entity, entity_id, before, after, request_id, cause, of_entity, of_id)
    values (${context.userId}, ${action}, ${entity.name}, ${id}, ${json(before)}, ${json(after)}, ${context.requestId},
      nullif(current_setting('tributary.cause', true), ''), ${owner?.entity ?? null}, ${owner?.id ?? null})`.execute(db)
}

/** The outermost owner: a manager belongs to a membership, which belongs to a partner. */
async function findOwner(db: Db, entity: Entity, row: Row | null): Promise<Owner | null> {
  const parent = ownerField(entity)
  const id = parent === null ? undefined : row?.[parent.field]
  if (parent === null || typeof id !== 'number') return null
  const above = ownerField(parent.entity)
  if (above === null) return { entity: parent.entity.name, id }
  const statement = sql<Row>`select ${sql.id(`${above.field}_id`)} as ${sql.id(above.field)} from ${tableOf(parent.entity)}
    where id = ${typed(id, 'bigint')}`
  const stored = (await statement.execute(db)).rows[0]
  return (await findOwner(db, parent.entity, stored ?? null)) ?? { entity: parent.entity.name, id }
}

/** The entity's first reference to a record that owns its rows. */
function ownerField(entity: Entity): { field: string; entity: Entity } | null {
  for (const [name, field] of fieldsOf(entity))
    if (field.kind === 'reference' && isOwned(entity, name, field))
      return { field: name, entity: entityNamed(field.to) }
  return null
}
