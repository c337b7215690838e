// Writes the draft of a partner's statement with its invoices, lines and items, or writes an existing draft anew.

import { formatMoney } from '@tributary/contract/money'
import { lastDayOf } from '@tributary/contract/period'
import { sql } from 'kysely'
import { entityNamed } from '../entities/engine/model/model.ts'
import type { Db, RequestContext } from '../entities/engine/model/request-context.ts'
import { deleteAudited, insertAudited, updateAudited } from '../entities/engine/save/write.ts'
import { AppError } from '../lib/app-error.ts'
import type { DraftLine, Grain } from './compute-statement.ts'
import { rateText } from './rate.ts'
import { grainOf, readDrafts } from './read-drafts.ts'

const statementEntity = entityNamed('statement')
const invoiceEntity = entityNamed('payment_invoice')

export interface DraftTarget {
  readonly partner: number
  readonly month: string
  /** Partner offers; null: all. */
  readonly offerPartners: readonly number[] | null
  readonly today: string
}

/** One change of a partner's statements at a time; waits for a close that is being written. */
export async function lockPartners(db: Db, partners: readonly number[]): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('period_close'))`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('statement'), id) from unnest(${[...partners].sort((a, b) => a - b)}::int[]) as id`.execute(
    db,
  )
}

/** Returns the statement's id, or null if there is nothing to state. The partner must be locked. Throws `conflict`. */
export async function writeDraft(db: Db, context: RequestContext, target: DraftTarget): Promise<number | null> {
  const existing = await sql<{ id: number; state: string; offer_partner_ids: number[] | null }>`
    select id, state, offer_partner_ids from statement where partner_id = ${target.partner} and month = ${target.month}
      and state <> 'void'`.execute(db)
  const [draft] = existing.rows
  if (draft !== undefined && draft.state !== 'draft')
    throw new AppError('conflict', { issues: { month: [{ key: 'statement_not_draft' }] } })
  const offerPartners =
    target.offerPartners === null || (draft !== undefined && draft.offer_partner_ids === null)
      ? null
      : [...new Set([...(draft?.offer_partner_ids ?? []), ...target.offerPartners])]
  return rewriteDraft(db, context, { ...target, offerPartners }, draft?.id ?? null)
}

/** Writes the draft with exactly these partner offers. */
export async function rewriteDraft(
  db: Db,
  context: RequestContext,
  { partner, month, offerPartners, today }: DraftTarget,
  draftId: number | null,
): Promise<number | null> {
  const rewritten = draftId === null ? [] : [draftId]
  const scope = { partners: [partner], month, offerPartners, today, rewritten, provisional: null }
  const [draft] = await readDrafts(db, scope, true)
  if (draft === undefined) throw new AppError('not_found')
  if (draftId !== null) await dropContents(db, context, draftId)
  const { lines, total, isCarried } = draft.computed
  const values = { total: formatMoney(total), carried: isCarried }
  if (lines.length === 0) {
    if (draftId !== null) await updateAudited(db, context, statementEntity, draftId, values)
    return draftId
  }
  const id =
    draftId ??
    (await insertAudited(db, context, statementEntity, {
      partner,
      month,
      currency: draft.currency_id,
      state: 'draft',
      created_by: context.userId,
      ...values,
    }))
  if (draftId !== null) await updateAudited(db, context, statementEntity, id, values)
  await sql`update statement set offer_partner_ids = ${offerPartners}::int[] where id = ${id}`.execute(db)
  await freezeRates(db, lines, draft.currency_id)
  await writeInvoices(db, context, { id, partner, month, currency: draft.currency_id }, lines)
  return id
}

async function dropContents(db: Db, context: RequestContext, statement: number): Promise<void> {
  await sql`delete from payment_invoice_line where statement_id = ${statement}`.execute(db)
  const { rows } = await sql<{
    id: number
  }>`select id from payment_invoice where statement_id = ${statement} and status = 'draft'
    order by id`.execute(db)
  for (const { id } of rows) await deleteAudited(db, context, invoiceEntity, id)
}

/** The rates of the earned months stay as they were first used. */
async function freezeRates(db: Db, lines: readonly DraftLine[], currency: number): Promise<void> {
  const months = [...new Set(lines.flatMap((line) => (line.currency_id === currency ? [] : [line.earned_month])))]
  await sql`insert into ledger_rate (month, currency_id, rate)
    select m, ${currency}, coalesce((select 1 from setting where report_currency_id = ${currency}),
      (select rate from currency_rate r where r.currency_id = ${currency}
        and r.date < (m || '-01')::date + interval '1 month' order by r.date desc limit 1))
    from unnest(${months}::text[]) as m on conflict do nothing`.execute(db)
}

interface Head {
  readonly id: number
  readonly partner: number
  readonly month: string
  readonly currency: number
}

async function writeInvoices(db: Db, context: RequestContext, head: Head, lines: readonly DraftLine[]): Promise<void> {
  const byGrain = Map.groupBy(lines, ({ grain }) => (grain === null ? '' : JSON.stringify(grainOf(grain))))
  for (const group of byGrain.values()) {
    const grain = group[0]?.grain ?? null
    const invoice = grain === null ? null : await insertInvoice(db, context, head, grain, group)
    await insertLines(db, head.id, invoice, group)
  }
}

function insertInvoice(
  db: Db,
  context: RequestContext,
  { id, partner, month, currency }: Head,
  grain: Grain,
  lines: readonly DraftLine[],
): Promise<number> {
  return insertAudited(db, context, invoiceEntity, {
    date_from: `${month}-01`,
    date_to: lastDayOf(month),
    partner,
    country: grain.country_id,
    advertiser: grain.advertiser_id,
    traffic_source: grain.traffic_source_id,
    stream: grain.stream_id,
    statement: id,
    amount: formatMoney(lines.reduce((sum, { total }) => sum + total, 0n)),
    currency,
    status: 'draft',
    n: 1,
    created_by: context.userId,
    active: true,
  })
}

const money = (amount: bigint | null): string | null => (amount === null ? null : formatMoney(amount))

/** Two statements, however many lines and items there are. */
async function insertLines(
  db: Db,
  statement: number,
  invoice: number | null,
  lines: readonly DraftLine[],
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('payment_invoice_line', 'id')) as id from generate_series(1, ${lines.length}::int)`.execute(
    db,
  )
  const numbered = lines.map((line, index) => ({ id: rows[index]?.id ?? 0, line }))
  const records = numbered.map(({ id, line }) => ({
    id,
    kind: line.kind,
    link: line.offer_partner_id,
    earned: line.earned_month,
    note: line.note,
    quantity: line.quantity,
    rate: money(line.rate),
    base: money(line.base),
    amount: money(line.amount),
    currency: line.currency_id,
    fx: rateText(line.fx_rate),
    total: money(line.total),
    carries: line.carries,
    carried: line.carried_from_id,
  }))
  await sql`insert into payment_invoice_line (id, statement_id, payment_invoice_id, kind, offer_partner_id, offer_partner_title, earned_month, note,
      quantity, rate, base, amount, currency_id, fx_rate, total, carries, carried_from_id)
    select l.id, ${statement}::int, ${invoice}::int, l.kind, l.link,
      case when k.id is not null then concat_ws(' · ', o.title, m.title, k.site_id) end, l.earned, l.note, l.quantity, l.rate, l.base,
      l.amount, l.currency, l.fx, l.total, l.carries, l.carried
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as l (id int, kind text, link int, earned text, note text, quantity int,
      rate numeric, base numeric, amount numeric, currency int, fx numeric, total numeric, carries text, carried int)
      left join offer_partner k on k.id = l.link left join offer o on o.id = k.offer_id
      left join payment_invoice i on i.id = ${invoice}::int left join partner_stream m on m.id = i.stream_id
    order by l.id`.execute(db)
  const items = numbered.flatMap(({ id, line: { rate, ledger_item_ids, ledger_entry_ids, adjustment_ids } }) => [
    ...ledger_item_ids.map((item) => ({ line: id, item })),
    ...ledger_entry_ids.map((entry) => ({ line: id, entry, rate: money(rate) })),
    ...adjustment_ids.map((adjustment) => ({ line: id, adjustment })),
  ])
  await sql`insert into statement_item (statement_id, payment_invoice_line_id, ledger_item_id, ledger_entry_id, adjustment_id, rate)
    select ${statement}::int, line, item, entry, adjustment, rate
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i (line int, item bigint, entry bigint, adjustment int, rate numeric)`.execute(
    db,
  )
}
