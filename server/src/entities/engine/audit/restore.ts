// Restores a row from the audit log through saveRow, so that rules, scope and audit apply. Values that no request can set (ids and codes of a
// deleted row) are passed separately.

import { isAllowed, type Requirement } from '@tributary/contract/access'
import type { Entity } from '@tributary/contract/entity'
import { isWritable } from '@tributary/contract/validate'
import { sql } from 'kysely'
import { AppError } from '../../../lib/app-error.ts'
import {
  allEntities,
  columnOf,
  entityNamed,
  fieldsOf,
  isOwned,
  isStored,
  type Row,
  tableOf,
  typed,
} from '../model/model.ts'
import type { Db, RequestContext } from '../model/request-context.ts'
import { isSameValue } from '../model/same-value.ts'
import { lockSnapshot } from '../read/snapshot.ts'
import { saveRow } from '../save/save.ts'
import { type AuditRow, findEntity, readAuditRow } from './history.ts'

/** The row that was restored. */
export interface RestoredRow {
  readonly entity: Entity
  readonly id: number
}

/** The version of a row before or after an audited change. */
export type AuditSide = 'before' | 'after'

/** Restores the version on one side of the entry; by default before a deletion, after any other change. Throws `forbidden` or as saveRow. */
export async function restoreRow(
  db: Db,
  context: RequestContext,
  auditId: number,
  side: AuditSide | undefined,
): Promise<RestoredRow> {
  const entry = await readAuditRow(db, auditId)
  const entity = entry === undefined ? undefined : findEntity(entry.entity)
  const id = entry?.entity_id ?? null
  const version = entry?.[side ?? (entry.action === 'delete' ? 'before' : 'after')] ?? null
  if (entry === undefined || entity === undefined || id === null || version === null) throw new AppError('not_found')
  const current = await lockSnapshot(db, context, entity, id)
  if (current !== undefined) {
    requireAccess(entity.access.edit, context)
    await saveRow(db, context, entity, id, differenceTo(entity, current, version))
  } else {
    await rejectHidden(db, entity, id)
    requireAccess(entity.access.create, context)
    await reviveRow(db, context, entity, version, entry)
  }
  return { entity, id }
}

function requireAccess(requirement: Requirement, { holder }: RequestContext): void {
  if (!isAllowed(requirement, holder)) throw new AppError('forbidden')
}

/** Throws `not_found` if the row exists but is out of scope, because it must not be created again. */
async function rejectHidden(db: Db, entity: Entity, id: number): Promise<void> {
  const there = sql`select from ${tableOf(entity)} where id = ${typed(id, 'bigint')}`
  if ((await there.execute(db)).rows.length > 0) throw new AppError('not_found')
}

const COMMON = new Set(['id', 'created_at', 'updated_at', 'version'])

/** The request body that turns the row into this version. */
function differenceTo(entity: Entity, current: Row, version: Row): Row {
  const body: Row = {}
  for (const [name, field] of fieldsOf(entity)) {
    const isRestorable = Object.hasOwn(version, name) && !COMMON.has(name) && isWritable(field, false)
    if (isRestorable && !isSameValue(field, version[name], current[name])) body[name] = version[name]
  }
  return body
}

async function reviveRow(
  db: Db,
  context: RequestContext,
  entity: Entity,
  version: Row,
  entry: AuditRow,
): Promise<void> {
  const [body, fixedValues]: [Row, Row] = [{}, {}]
  const generated = await findGenerated(db, entity)
  for (const [name, field] of fieldsOf(entity)) {
    if (!Object.hasOwn(version, name)) continue
    if (name === 'version') fixedValues.version = Number(version.version) + 1
    else if (!COMMON.has(name) && isWritable(field, true)) body[name] = version[name]
    else if (isStored(field) && name !== 'updated_at' && !generated.has(columnOf(name, field)))
      fixedValues[name] = version[name]
  }
  const id = Number(version.id)
  await saveRow(db, context, entity, null, body, undefined, fixedValues)
  await reviveCollections(db, context, entity, id, entry)
}

/** Generated columns of the entity's table. */
async function findGenerated(db: Db, entity: Entity): Promise<ReadonlySet<string>> {
  const statement = sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${entity.name} and is_generated = 'ALWAYS'`
  return new Set((await statement.execute(db)).rows.map(({ name }) => name))
}

/** Restores the collection rows that the same request deleted with this row. */
async function reviveCollections(
  db: Db,
  context: RequestContext,
  entity: Entity,
  id: number,
  { request_id, id: auditId }: AuditRow,
): Promise<void> {
  if (request_id === null) return
  for (const child of allEntities()) {
    for (const [name, field] of fieldsOf(child)) {
      if (field.kind !== 'reference' || field.to !== entity.name || !isOwned(child, name, field)) continue
      const gone = await sql<{
        id: number
      }>`select id from audit_log where request_id = ${request_id} and action = 'delete'
        and entity = ${child.name} and (before ->> ${name})::bigint = ${typed(id, 'bigint')} and id > ${typed(auditId, 'bigint')} order by id`.execute(
        db,
      )
      for (const { id: found } of gone.rows) {
        const entry = await readAuditRow(db, found)
        if (entry?.before) await reviveRow(db, context, entityNamed(child.name), entry.before, entry)
      }
    }
  }
}
