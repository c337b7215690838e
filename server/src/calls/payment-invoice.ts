// Handlers that preview and make invoices, send them to the CRM, void and correct them.
import type { Calls } from '@tributary/contract/calls/registry'
import { sql } from 'kysely'
import { entityNamed, type Row, readRowId } from '../entities/engine/model/model.ts'
import type { Db, RequestContext } from '../entities/engine/model/request-context.ts'
import { changeSelected, toBulkAnswer } from '../entities/engine/save/bulk.ts'
import { withReason } from '../entities/engine/save/cause.ts'
import { changeRecord, readEntity } from '../entities/engine/store.ts'
import { sendInvoices } from '../jobs/send-invoices.ts'
import { AppError } from '../lib/app-error.ts'
import { answerPreview, findRefusals, issueOf, scopeOfFilter } from '../money/preview.ts'
import { correctInvoice, queueInvoice, voidInvoice } from '../money/statement-states.ts'
import { lockPartners, writeDraft } from '../money/write-draft.ts'
import type { Handler } from './handler.ts'

const invoice = entityNamed('payment_invoice')

export const previewInvoices: Handler<Calls['payment_invoice_preview']> = async ({ context, body, language }) => {
  const { db } = context.engines.postgres
  const scope = await scopeOfFilter(db, context, body.filter, { withOpenMonths: body.booked_only !== true })
  return (await answerPreview(db, scope, language)).answer
}

export const createInvoices: Handler<Calls['payment_invoice_create']> = async ({ context, body, language }) => {
  const { db } = context.engines.postgres
  // Before the lock, so that repeated calls do not queue for it.
  const closedMonths = { withOpenMonths: false }
  const early = await answerPreview(db, await scopeOfFilter(db, context, body.filter, closedMonths), language)
  if (early.answer.digest !== body.digest) throw new AppError('preview_stale')
  return changeRecord(context, 'make invoices', async (trx) => {
    const scope = await scopeOfFilter(trx, context, body.filter, closedMonths)
    await lockPartners(trx, scope.partners)
    const preview = await answerPreview(trx, scope, language)
    const { answer, drafts } = preview
    if (answer.digest !== body.digest) throw new AppError('preview_stale')
    const refusals = findRefusals(preview)
    const isBlocked = (id: number) => refusals.some(({ partner }) => partner.id === id)
    const payable = drafts.filter(({ partner_id: id, computed }) => computed.lines.length > 0 && !isBlocked(id))
    const [refusal] = refusals
    if (payable.length === 0)
      throw new AppError('conflict', {
        issues: { filter: [refusal === undefined ? { key: 'nothing_payable' } : issueOf(refusal)] },
      })
    const statements: number[] = []
    for (const { partner_id } of payable) {
      const id = await writeDraft(trx, context, { ...scope, partner: partner_id })
      if (id !== null) statements.push(id)
    }
    const { rows } = await sql<{
      id: number
    }>`select id from payment_invoice where statement_id = any(${statements}::int[])
      and status = 'draft' order by id`.execute(trx)
    return { statements, invoices: rows.map(({ id }) => id) }
  })
}

const readInvoice = (context: RequestContext, id: number): Promise<Row> =>
  readEntity(context, invoice, id, { detailed: true })

async function queueNow(db: Db, context: RequestContext, id: number): Promise<boolean> {
  await queueInvoice(db, context, id)
  await sql`update payment_invoice set next_attempt_at = null where id = ${id}`.execute(db)
  return true
}

export const queueToCrm: Handler<Calls['payment_invoice_send']> = async ({ context, params, body }, services) => {
  const id = readRowId(params.id)
  await changeRecord(context, withReason('send to the CRM', body?.reason), (db) => queueNow(db, context, id))
  await services.jobs.enqueue(sendInvoices, {})
  return readInvoice(context, id)
}

export const queueSelectedToCrm: Handler<Calls['payment_invoice_send_selected']> = async (
  { context, body, language },
  services,
) => {
  const queue = (db: Db, id: number) => queueNow(db, context, id)
  const isQueued = sql`t.status in ('queued', 'sent', 'accepted')`
  const outcome = await changeSelected(context, invoice, body, 'send to the CRM', queue, isQueued)
  if (outcome.changed > 0) await services.jobs.enqueue(sendInvoices, {})
  return toBulkAnswer(outcome, language)
}

export const voidOneInvoice: Handler<Calls['payment_invoice_void']> = async ({ context, params, body }) => {
  const id = readRowId(params.id)
  await changeRecord(context, 'void an invoice', (db) => voidInvoice(db, context, id, body.reason))
  return readInvoice(context, id)
}

export const correctOneInvoice: Handler<Calls['payment_invoice_correct']> = async ({ context, params, body }) => {
  const made = await changeRecord(context, withReason('correct an invoice', body?.reason), (db) =>
    correctInvoice(db, context, readRowId(params.id), body?.reason?.trim() || null),
  )
  return readInvoice(context, made)
}
