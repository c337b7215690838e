// The states of statements, invoices and payments, and what each change needs.
import type { InvoiceStatus } from '@tributary/contract/entities/payment-invoice'
import type { StatementState } from '@tributary/contract/entities/statement'
import { addDays, formatDay } from '@tributary/contract/period'
import type { MessageKey } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import { entityNamed } from '../entities/engine/model/model.ts'
import type { Db, RequestContext } from '../entities/engine/model/request-context.ts'
import { insertAudited, updateAudited } from '../entities/engine/save/write.ts'
import { AppError, invalidField } from '../lib/app-error.ts'
import { findRefusedApprovals } from './four-eyes.ts'
import { findPaymentHold } from './payment-hold.ts'
import { readToday } from './preview.ts'
import { showAmount } from './statement-document.ts'
import { rejectApprovalOutOfOrder, rejectRedraftBelowLater, rejectVoidBelowLater } from './statement-order.ts'
import { type DraftTarget, lockPartners, rewriteDraft } from './write-draft.ts'

const statementEntity = entityNamed('statement')
const invoiceEntity = entityNamed('payment_invoice')
const paymentEntity = entityNamed('payment')

interface StatementRow {
  readonly id: number
  readonly partner_id: number
  readonly month: string
  readonly state: StatementState
  readonly disputed_at: Date | null
  readonly offer_partner_ids: number[] | null
}

const conflict = (field: string, key: MessageKey, values?: Record<string, string | number>): AppError =>
  new AppError('conflict', { issues: { [field]: [values === undefined ? { key } : { key, values }] } })

const now = (): string => new Date().toISOString()

/** Locks the statement and its partner's other statements. Throws `not_found`. */
async function lockStatement(db: Db, context: RequestContext, id: number): Promise<StatementRow> {
  const visible = context.scopeOf(statementEntity, 't') ?? sql`true`
  const { rows: found } = await sql<{
    partner_id: number
  }>`select partner_id from statement t where id = ${id}::bigint and ${visible}`.execute(db)
  const partner = found[0]?.partner_id
  if (partner === undefined) throw new AppError('not_found')
  await lockPartners(db, [partner])
  const { rows } = await sql<StatementRow>`select id, partner_id, month, state, disputed_at, offer_partner_ids
    from statement where id = ${id} for update`.execute(db)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** `render` is called with the approved statement inside the transaction, and its files are stored with it. */
export async function approveStatement(
  db: Db,
  context: RequestContext,
  id: number,
  render: (db: Db, id: number) => Promise<void>,
): Promise<void> {
  const row = await lockStatement(db, context, id)
  if (row.state !== 'draft') throw conflict('state', 'statement_not_draft')
  const refusal = (await findRefusedApprovals(db, context.userId, [id])).get(id)
  if (refusal !== undefined) throw conflict('state', refusal)
  await rejectApprovalOutOfOrder(db, id)
  const { rows } = await sql<{ net_days: number; is_payable: boolean }>`
    select coalesce(b.net_days, 0) as net_days, s.total > 0 as is_payable
    from statement s left join partner_billing b on b.partner_id = s.partner_id where s.id = ${id}`.execute(db)
  const { net_days = 0, is_payable = false } = rows[0] ?? {}
  const at = now()
  await updateAudited(db, context, statementEntity, id, {
    state: 'approved',
    approved_by: context.userId,
    approved_at: at,
    due_on: is_payable ? addDays(await readToday(db), net_days) : null,
  })
  for (const invoice of await invoicesOf(db, id, ['draft']))
    await updateAudited(db, context, invoiceEntity, invoice, { status: 'approved', approved_at: at })
  await render(db, id)
}

async function invoicesOf(db: Db, statement: number, statuses: readonly InvoiceStatus[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from payment_invoice where statement_id = ${statement}
    and status = any(${statuses}::text[]) order by id for update`.execute(db)
  return rows.map((row) => row.id)
}

/** Queued invoices that were never requested become approved. What the CRM may have stays queued. The statement must be locked. */
async function takeBackUnsent(db: Db, context: RequestContext, statement: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from payment_invoice where statement_id = ${statement}
    and status = 'queued' and crm_key is null order by id for update`.execute(db)
  for (const { id } of rows) await updateAudited(db, context, invoiceEntity, id, { status: 'approved' })
}

export async function voidStatement(db: Db, context: RequestContext, id: number, reason: string): Promise<void> {
  const row = await lockStatement(db, context, id)
  if (row.state !== 'draft' && row.state !== 'approved') throw conflict('state', 'statement_has_payments')
  const { rows } = await sql<{ paid: boolean; sent: boolean }>`
    select exists (select from payment where statement_id = ${id} and reversed_at is null) as paid,
      exists (select from payment_invoice where statement_id = ${id} and status in ('queued', 'sent', 'accepted')) as sent`.execute(
    db,
  )
  if (rows[0]?.paid === true) throw conflict('state', 'statement_has_payments')
  if (rows[0]?.sent === true) throw conflict('state', 'statement_has_sent')
  await rejectVoidBelowLater(db, id)
  for (const invoice of await invoicesOf(db, id, ['draft', 'approved', 'rejected']))
    await updateAudited(db, context, invoiceEntity, invoice, { status: 'void', void_reason: reason })
  await sql`update statement_item set live = false where statement_id = ${id}`.execute(db)
  await sql`update payment_invoice_line set live = false where statement_id = ${id}`.execute(db)
  // Nothing is left to dispute.
  const values = { state: 'void', voided_at: now(), void_reason: reason, disputed_at: null }
  await updateAudited(db, context, statementEntity, id, values)
  await sql`update statement set voided_by_id = ${context.userId}, disputed_by_id = null where id = ${id}`.execute(db)
}

/** A dispute takes invoices out of the queue. */
export async function disputeStatement(db: Db, context: RequestContext, id: number, reason: string): Promise<void> {
  const row = await lockStatement(db, context, id)
  if (row.state !== 'approved' && row.state !== 'partly_paid') throw conflict('state', 'statement_not_approved')
  if (row.disputed_at !== null) throw conflict('disputed_at', 'statement_disputed')
  const values = { disputed_at: now(), dispute_reason: reason, resolve_reason: null }
  await updateAudited(db, context, statementEntity, id, values)
  await takeBackUnsent(db, context, id)
  await sql`update statement set disputed_by_id = ${context.userId} where id = ${id}`.execute(db)
}

/** Its invoices are queued again by hand. */
export async function resolveDispute(
  db: Db,
  context: RequestContext,
  id: number,
  reason: string | null,
): Promise<void> {
  const row = await lockStatement(db, context, id)
  if (row.state === 'draft' || row.state === 'void') throw conflict('state', 'statement_not_approved')
  if (row.disputed_at === null) throw conflict('disputed_at', 'statement_not_disputed')
  await updateAudited(db, context, statementEntity, id, { disputed_at: null, resolve_reason: reason })
  await sql`update statement set disputed_by_id = null where id = ${id}`.execute(db)
}

/** A payment that is being recorded: throws unless it fits the statement; returns the partner. */
export async function checkPayment(
  db: Db,
  context: RequestContext,
  statement: number,
  given: { amount: string; currency: number; paid_at: string; reference?: string | null | undefined },
): Promise<number> {
  const row = await lockStatement(db, context, statement)
  if (row.state !== 'approved' && row.state !== 'partly_paid') throw conflict('statement', 'statement_not_approved')
  const hold = await findPaymentHold(db, statement)
  if (hold !== undefined) throw conflict('statement', hold)
  if (given.paid_at > (await readToday(db))) throw invalidField('paid_at', 'date_future')
  const { rows } = await sql<{
    is_own: boolean
    left: string
    fits: boolean
    approved_on: string
    currency: string
    is_repeated: boolean
  }>`
    select (s.approved_at at time zone (select business_time_zone from setting))::date::text as approved_on,
      s.currency_id = ${given.currency} as is_own, s.total - s.paid as left, s.paid + ${given.amount}::numeric <= s.total as fits,
      coalesce(nullif(c.value, ''), c.title) as currency, exists (select from payment p
        where p.statement_id = s.id and p.reversed_at is null and p.reference = nullif(${given.reference?.trim() ?? ''}, '')) as is_repeated
    from statement s join currency c on c.id = s.currency_id where s.id = ${statement}`.execute(db)
  const { is_own, left = '0', fits, approved_on = '', currency = '', is_repeated } = rows[0] ?? {}
  if (given.paid_at < approved_on)
    throw invalidField('paid_at', 'payment_before_approval', { day: formatDay(approved_on) })
  if (is_own !== true) throw new AppError('invalid', { issues: { currency: [{ key: 'payment_currency' }] } })
  if (fits !== true) throw invalidField('amount', 'payment_too_large', { left: `${showAmount(left)} ${currency}` })
  if (is_repeated === true) throw invalidField('reference', 'payment_repeated')
  return row.partner_id
}

/** Sums the payments that stand, and moves the statement between approved, partly_paid and paid. */
export async function settleStatement(db: Db, context: RequestContext, statement: number): Promise<void> {
  const { rows } = await sql<{ paid: string; state: StatementState }>`
    select p.paid, case when p.paid = 0 then 'approved' when p.paid < s.total then 'partly_paid' else 'paid' end as state
    from statement s, (select coalesce(sum(amount), 0) as paid from payment where statement_id = ${statement} and reversed_at is null) p
    where s.id = ${statement}`.execute(db)
  await updateAudited(db, context, statementEntity, statement, { paid: rows[0]?.paid, state: rows[0]?.state })
}

export async function reversePayment(db: Db, context: RequestContext, id: number, reason: string): Promise<void> {
  const visible = context.scopeOf(paymentEntity, 't') ?? sql`true`
  const { rows } = await sql<{
    statement_id: number
  }>`select statement_id from payment t where id = ${id}::bigint and ${visible}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  await lockStatement(db, context, row.statement_id)
  const { rows: standing } = await sql`select from payment where id = ${id} and reversed_at is null for update`.execute(
    db,
  )
  if (standing.length === 0) throw conflict('reversed_at', 'payment_reversed')
  const values = { reversed_at: now(), reversed_by: context.userId, reversal_reason: reason }
  await updateAudited(db, context, paymentEntity, id, values)
  await settleStatement(db, context, row.statement_id)
}

interface InvoiceRow {
  readonly statement_id: number | null
  readonly status: InvoiceStatus
}

async function lockInvoice(db: Db, context: RequestContext, id: number): Promise<InvoiceRow> {
  const visible = context.scopeOf(invoiceEntity, 't') ?? sql`true`
  const { rows } =
    await sql<InvoiceRow>`select statement_id, status from payment_invoice t where id = ${id}::bigint and ${visible}`.execute(
      db,
    )
  const [found] = rows
  if (found === undefined) throw new AppError('not_found')
  if (found.statement_id !== null) await lockStatement(db, context, found.statement_id)
  return readLocked(db, id)
}

async function readLocked(db: Db, id: number): Promise<InvoiceRow> {
  const { rows } =
    await sql<InvoiceRow>`select statement_id, status from payment_invoice where id = ${id} for update`.execute(db)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** True if payments or the CRM hold the statement or a later one, without which this one does not become void. The statement must be locked. */
async function isBound(db: Db, statement: number): Promise<boolean> {
  const { rows } =
    await sql`select from statement s join statement o on o.partner_id = s.partner_id and o.state <> 'void' and o.month >= s.month
    where s.id = ${statement} and (exists (select from payment p where p.statement_id = o.id and p.reversed_at is null)
      or exists (select from payment_invoice i where i.statement_id = o.id and i.status in ('queued', 'sent', 'accepted'))) limit 1`.execute(
      db,
    )
  return rows.length > 0
}

/**
 * The invoice's partner offers leave the statement, so that their items can be stated again. An approved statement stays as its partner has it:
 * it becomes void as a whole, and a draft takes up the rest. If it cannot become void, an invoice that is not with the CRM does so alone: its
 * lines stay on the statement, which owes them still, and the CRM is not asked for them.
 */
export async function voidInvoice(db: Db, context: RequestContext, id: number, reason: string): Promise<void> {
  const row = await lockInvoice(db, context, id)
  if (row.status === 'queued') throw conflict('status', 'invoice_with_crm')
  if (row.status !== 'draft' && row.status !== 'approved' && row.status !== 'rejected')
    throw conflict('status', 'invoice_not_voidable')
  const voided = { status: 'void', void_reason: reason }
  if (row.statement_id === null) return updateAudited(db, context, invoiceEntity, id, voided)
  if (row.status !== 'draft' && (await isBound(db, row.statement_id)))
    return updateAudited(db, context, invoiceEntity, id, voided)
  const target = await readRest(db, row.statement_id, id)
  if (row.status === 'draft') {
    await sql`update payment_invoice_line set payment_invoice_id = null where payment_invoice_id = ${id}`.execute(db)
    await updateAudited(db, context, invoiceEntity, id, voided)
    await rewriteDraft(db, context, target, row.statement_id)
  } else {
    await rejectRedraftBelowLater(db, row.statement_id)
    await voidStatement(db, context, row.statement_id, reason)
    await updateAudited(db, context, invoiceEntity, id, voided)
    await rewriteDraft(db, context, target, null)
  }
}

/** The statement without the partner offers of one of its invoices. */
async function readRest(db: Db, statement: number, invoice: number): Promise<DraftTarget> {
  const { rows } = await sql<{ partner: number; month: string; offerPartners: number[] }>`
    select s.partner_id as partner, s.month, array(
      select l.offer_partner_id from payment_invoice_line l where l.statement_id = s.id and l.offer_partner_id is not null
      except select l.offer_partner_id from payment_invoice_line l where l.payment_invoice_id = ${invoice}) as "offerPartners"
    from statement s where s.id = ${statement}`.execute(db)
  const [rest] = rows
  if (rest === undefined) throw new AppError('not_found')
  return { ...rest, today: await readToday(db) }
}

/** SQL: the number after those of all requests that were made of the grain of the invoice `i`. */
const NEXT_NUMBER = sql<number>`coalesce((select max(o.n) + 1 from payment_invoice o
  where o.crm_key is not null and o.partner_id = i.partner_id and o.date_from = i.date_from
    and (o.country_id, o.advertiser_id, o.traffic_source_id, o.stream_id)
      is not distinct from (i.country_id, i.advertiser_id, i.traffic_source_id, i.stream_id)), 1)`

/**
 * The rejected request becomes void, and its lines a new request with the next number. So do the lines of a void one that their statement still
 * owes. Returns the new invoice.
 */
export async function correctInvoice(
  db: Db,
  context: RequestContext,
  id: number,
  reason: string | null,
): Promise<number> {
  const row = await lockInvoice(db, context, id)
  const isVoid = row.status === 'void' && (await isStillOwed(db, id))
  if ((row.status !== 'rejected' && !isVoid) || row.statement_id === null)
    throw conflict('status', 'invoice_not_rejected')
  const { rows } = await sql<
    Record<string, unknown>
  >`select i.date_from, i.date_to, i.partner_id as partner, i.country_id as country, i.advertiser_id as advertiser,
    i.traffic_source_id as traffic_source, i.stream_id as stream, i.statement_id as statement, i.amount,
    i.currency_id as currency, i.approved_at, ${NEXT_NUMBER} as n from payment_invoice i where i.id = ${id}`.execute(db)
  if (!isVoid) await updateAudited(db, context, invoiceEntity, id, { status: 'void', void_reason: reason })
  const made = await insertAudited(db, context, invoiceEntity, {
    ...rows[0],
    corrects: id,
    status: 'approved',
    created_by: context.userId,
    active: true,
  })
  await sql`update payment_invoice_line set payment_invoice_id = ${made} where payment_invoice_id = ${id}`.execute(db)
  return made
}

/** True if lines of the invoice stand on an approved statement that is not paid whole: no other invoice has them. */
async function isStillOwed(db: Db, invoice: number): Promise<boolean> {
  const { rows } = await sql`select from payment_invoice_line l join statement s on s.id = l.statement_id
    where l.payment_invoice_id = ${invoice} and s.state in ('approved', 'partly_paid') limit 1`.execute(db)
  return rows.length > 0
}

/** approved → queued; queued or sent again under the same key. */
export async function queueInvoice(db: Db, context: RequestContext, id: number): Promise<void> {
  const row = await lockInvoice(db, context, id)
  if (row.status !== 'approved' && row.status !== 'queued' && row.status !== 'sent')
    throw conflict('status', 'invoice_not_sendable')
  const hold = row.statement_id === null ? undefined : await findPaymentHold(db, row.statement_id)
  if (hold !== undefined) throw conflict('statement', hold)
  await rejectUnsendable(db, id)
  const { rows } = await sql<{ n: number }>`
    select case when i.crm_key is not null then i.n else ${NEXT_NUMBER} end as n from payment_invoice i where i.id = ${id}`.execute(
    db,
  )
  await updateAudited(db, context, invoiceEntity, id, { status: 'queued', n: rows[0]?.n ?? 1 })
}

async function rejectUnsendable(db: Db, id: number): Promise<void> {
  const { rows } = await sql<{ has_project: boolean; is_zero: boolean; is_carried: boolean }>`
    select coalesce(o.crm_project_id, a.default_crm_project_id) is not null as has_project, i.amount = 0 as is_zero,
      ${isCarriedFurther()} as is_carried
    from payment_invoice i join statement s on s.id = i.statement_id left join advertiser a on a.id = i.advertiser_id
      left join advertiser_country o on o.advertiser_id = i.advertiser_id and o.country_id = i.country_id
    where i.id = ${id}`.execute(db)
  const { has_project, is_zero, is_carried } = rows[0] ?? {}
  if (is_zero === true) throw conflict('status', 'invoice_is_zero')
  if (has_project !== true) throw conflict('advertiser', 'invoice_without_project')
  if (is_carried === true) throw conflict('status', 'invoice_is_carried')
}

/** True while the statement's whole total is carried and no approved statement has paid it out. */
const isCarriedFurther = () => sql`(with recursive later (id, carried) as (
    select s.id, s.carried
    union all
    select n.id, n.carried from later join payment_invoice_line l on l.statement_id = later.id and l.carries is not null and l.live
      join payment_invoice_line u on u.carried_from_id = l.id and u.live
      join statement n on n.id = u.statement_id and n.state not in ('draft', 'void'))
  select bool_and(carried) from later)`
