// Handlers that read the history of a row or one audit entry, and restore an earlier version. Staff read the history of rows they see.
import type { Calls } from '@tributary/contract/calls/registry'
import {
  type AuditRow,
  describeHistory,
  findEntity,
  readAuditRow,
  readHistory,
} from '../entities/engine/audit/history.ts'
import { restoreRow } from '../entities/engine/audit/restore.ts'
import { undoRequests } from '../entities/engine/audit/undo.ts'
import { entityNamed, readRowId } from '../entities/engine/model/model.ts'
import { mayView, type RequestContext } from '../entities/engine/model/request-context.ts'
import { readRow } from '../entities/engine/read/row.ts'
import { changeRecord, readEntity } from '../entities/engine/store.ts'
import { AppError } from '../lib/app-error.ts'
import type { Handler } from './handler.ts'

const PAGE = 20
const LONGEST = 100

/** Throws `not_found` or `forbidden` unless the caller sees the row. Only admins who see all rows may read the history of deleted rows. */
async function requireVisible(context: RequestContext, name: string, id: number): Promise<void> {
  const entity = findEntity(name)
  if (entity === undefined || entity.source === 'clickhouse') throw new AppError('not_found')
  if (!mayView(context, entity)) throw new AppError('forbidden')
  const { db } = context.engines.postgres
  const row = await readRow(db, context, entity, id, { detailed: false })
  if (row === undefined && (context.holder.role !== 'ADMIN' || context.partners !== null))
    throw new AppError('not_found')
}

export const readAuditHistory: Handler<Calls['audit_log_history']> = async ({ params, query, context }, services) => {
  const id = readRowId(params.id)
  await requireVisible(context, params.entity, id)
  const limit = Math.min(Number(query.limit ?? PAGE), LONGEST)
  const before = query.before === undefined ? undefined : Number(query.before)
  const { db } = services.postgres
  const rows = await readHistory(db, entityNamed(params.entity), id, { limit, before })
  return { items: await describeHistory(db, context, rows.slice(0, limit)), has_more: rows.length > limit }
}

/** The record whose visibility decides: the owner of a collection row, or the row itself. */
const recordOf = ({ entity, entity_id, of_entity, of_id }: AuditRow): [string, number] => [
  of_entity ?? entity,
  of_id ?? entity_id ?? 0,
]

async function findEntry(context: RequestContext, id: number): Promise<AuditRow> {
  const row = await readAuditRow(context.engines.postgres.db, id)
  if (row === undefined) throw new AppError('not_found')
  await requireVisible(context, ...recordOf(row))
  return row
}

export const readAuditEntry: Handler<Calls['audit_log_entry']> = async ({ params, context }, services) => {
  const row = await findEntry(context, readRowId(params.id))
  const [entry] = await describeHistory(services.postgres.db, context, [row])
  if (entry === undefined) throw new AppError('not_found')
  return entry
}

export const restoreAudited: Handler<Calls['audit_log_restore']> = async ({ params, body, context }) => {
  const auditId = readRowId(params.id)
  await findEntry(context, auditId)
  const { entity, id } = await changeRecord(context, `restore ${auditId}`, (db) =>
    restoreRow(db, context, auditId, body.side),
  )
  return readEntity(context, entity, id, { detailed: true })
}

export const undoAudited: Handler<Calls['audit_log_undo']> = async ({ body: { requests }, context }) => ({
  restored: await changeRecord(context, 'undo', (db) => undoRequests(db, context, requests)),
})
