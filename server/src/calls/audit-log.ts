// The history of a record, one change of the log, and going back to what was. Whoever may see a record may read its history; partners never.
import type { Calls } from '@tributary/contract/calls/registry'
import { type Acting, actAs, mayView } from '../entities/acting.ts'
import { type AuditRow, findEntity, readAuditRow, readHistory, tellHistory } from '../entities/audit-history.ts'
import { entityNamed } from '../entities/model.ts'
import { readRow } from '../entities/read.ts'
import { restoreRow } from '../entities/restore.ts'
import { readRowId } from '../entities/row-id.ts'
import { changeRecord, readEntity } from '../entities/store.ts'
import { AppError } from '../lib/app-error.ts'
import type { Handler } from './handler.ts'

const PAGE = 20
const LONGEST = 100

/** Those who see every row see the history of deleted ones, too. */
async function demandSight(acting: Acting, name: string, id: number): Promise<void> {
  const entity = findEntity(name)
  if (entity === undefined || entity.source === 'clickhouse') throw new AppError('not_found')
  if (!mayView(acting, entity)) throw new AppError('forbidden')
  const { db } = acting.engines.postgres
  const row = await readRow(db, acting, entity, id, { detailed: false })
  if (row === undefined && (acting.holder.role !== 'ADMIN' || acting.partners !== null)) throw new AppError('not_found')
}

export const readAuditHistory: Handler<Calls['audit_log_history']> = async (
  { params, query, person, requestId },
  services,
) => {
  const acting = actAs(person, requestId, services)
  const id = readRowId(params.id)
  await demandSight(acting, params.entity, id)
  const limit = Math.min(Number(query.limit ?? PAGE), LONGEST)
  const before = query.before === undefined ? undefined : Number(query.before)
  const { db } = services.postgres
  const rows = await readHistory(db, entityNamed(params.entity), id, { limit, before })
  return { items: await tellHistory(db, acting, rows.slice(0, limit)), has_more: rows.length > limit }
}

/** A row of a collection is seen by those who see its record. */
const recordOf = ({ entity, entity_id, of_entity, of_id }: AuditRow): [string, number] => [
  of_entity ?? entity,
  of_id ?? entity_id ?? 0,
]

async function findEntry(acting: Acting, id: number): Promise<AuditRow> {
  const row = await readAuditRow(acting.engines.postgres.db, id)
  if (row === undefined) throw new AppError('not_found')
  await demandSight(acting, ...recordOf(row))
  return row
}

export const readAuditEntry: Handler<Calls['audit_log_entry']> = async ({ params, person, requestId }, services) => {
  const acting = actAs(person, requestId, services)
  const row = await findEntry(acting, readRowId(params.id))
  const told = (await tellHistory(services.postgres.db, acting, [row]))[0]
  if (told === undefined) throw new AppError('not_found')
  return told
}

export const restoreAudited: Handler<Calls['audit_log_restore']> = async (
  { params, body, person, requestId },
  services,
) => {
  const acting = actAs(person, requestId, services)
  const auditId = readRowId(params.id)
  await findEntry(acting, auditId)
  const { entity, id } = await changeRecord(acting, `restore ${auditId}`, (db) =>
    restoreRow(db, acting, auditId, body.side),
  )
  return readEntity(acting, entity, id, { detailed: true })
}
