// Audits rows that change together with another row: rows on the other side of a many-to-many field, and rows deleted by cascade. Otherwise
// their histories would have gaps.

import type { Entity } from '@tributary/contract/entity'
import type { ReferencesField } from '@tributary/contract/field'
import { sql } from 'kysely'
import { allEntities, column, entityNamed, fieldsOf, isOwned, type Row, tableOf, typed } from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'
import { readSnapshot, selectSnapshot } from '../read/snapshot.ts'
import { writeAudit } from './entry.ts'

interface Mirror {
  readonly entity: Entity
  readonly field: string
}

/** The field of the referenced entity that shows the same join table from the other side; null if there is none. */
function findMirror({ to, through }: ReferencesField): Mirror | null {
  const entity = entityNamed(to)
  for (const [name, field] of fieldsOf(entity))
    if (
      field.kind === 'references' &&
      !field.readOnly &&
      field.through.table === through.table &&
      field.through.own === through.other
    )
      return { entity, field: name }
  return null
}

const idsOf = (row: Row | null, field: string): number[] => {
  const ids = row?.[field]
  return Array.isArray(ids) ? ids.map(Number) : []
}

/** Audits the rows that were added to or removed from two-sided many-to-many fields. `before` and `after` are snapshots. */
export async function auditMirrors(
  db: Db,
  context: RequestContext,
  entity: Entity,
  id: number,
  before: Row | null,
  after: Row | null,
): Promise<void> {
  for (const [name, field] of fieldsOf(entity)) {
    const mirror = field.kind === 'references' && !field.readOnly ? findMirror(field) : null
    if (mirror === null) continue
    const [was, is] = [idsOf(before, name), idsOf(after, name)]
    for (const other of new Set([...was, ...is]))
      if (was.includes(other) !== is.includes(other))
        await auditOther(db, context, mirror, other, id, is.includes(other))
  }
}

async function auditOther(
  db: Db,
  context: RequestContext,
  { entity, field }: Mirror,
  id: number,
  joined: number,
  isAdded: boolean,
): Promise<void> {
  const now = await readSnapshot(db, entity, id)
  if (now === undefined) return
  const others = idsOf(now, field).filter((one) => one !== joined)
  const [without, whole] = [others, [...others, joined].sort((a, b) => a - b)]
  await writeAudit(db, context, {
    action: 'update',
    entity,
    id,
    before: { ...now, [field]: isAdded ? without : whole },
    after: { ...now, [field]: isAdded ? whole : without },
  })
}

/** Audits the collection rows that the database deletes with their record. Call it after the record's own entry. */
export async function auditCascade(db: Db, context: RequestContext, entity: Entity, id: number): Promise<void> {
  for (const child of allEntities()) {
    if (child.source === 'clickhouse') continue
    for (const [name, field] of fieldsOf(child)) {
      if (field.kind !== 'reference' || field.to !== entity.name || !isOwned(child, name, field)) continue
      const rows = await sql<Row & { id: number }>`select ${selectSnapshot(child)} from ${tableOf(child)} as t
        where ${column('t', `${name}_id`)} = ${typed(id, 'bigint')} order by t.id`.execute(db)
      for (const before of rows.rows) {
        await writeAudit(db, context, { action: 'delete', entity: child, id: before.id, before, after: null })
        await auditCascade(db, context, child, before.id)
      }
    }
  }
}
