// The live statements of a partner follow each other by month, and each takes up what the one before it carries. A statement is made or approved
// behind all others, and one that a later one is reckoned on does not become void.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../entities/engine/model/request-context.ts'
import { AppError } from '../lib/app-error.ts'

export interface OtherStatement {
  readonly id: number
  readonly month: string
}

const selectOther = (partner: string, condition: RawBuilder<unknown>, order: 'asc' | 'desc' = 'asc') =>
  sql<OtherStatement | null>`(select jsonb_build_object('id', o.id, 'month', o.month) from statement o
    where o.partner_id = ${sql.ref(partner)} and ${condition} order by o.month ${sql.raw(order)} limit 1)`

/** SQL of the partner's first draft before the month; null if there is none. */
export const selectEarlierDraft = (partner: string, month: string | RawBuilder<unknown>) =>
  selectOther(partner, sql`o.state = 'draft' and o.month < ${month}`)

/** SQL of the partner's first live statement after the month; null if there is none. */
export const selectLater = (partner: string, month: string | RawBuilder<unknown>) =>
  selectOther(partner, sql`o.state <> 'void' and o.month > ${month}`)

type OrderMessage =
  | 'statement_is_carried'
  | 'statement_before_later'
  | 'statement_after_draft'
  | 'statement_later_approved'
  | 'statement_misses_carry'

const orderConflict = (key: OrderMessage, { id, month }: OtherStatement): AppError =>
  new AppError('conflict', { issues: { state: [{ key, values: { number: id, month } }] } })

/** Throws `conflict` unless the draft may be approved now. Its partner must be locked. */
export async function rejectApprovalOutOfOrder(db: Db, statement: number): Promise<void> {
  const month = sql.ref('s.month')
  const { rows } = await sql<Record<'draft' | 'approved' | 'carrying', OtherStatement | null>>`
    select ${selectEarlierDraft('s.partner_id', month)} as draft,
      ${selectOther('s.partner_id', sql`o.state not in ('draft', 'void') and o.month > s.month`)} as approved,
      ${selectOther(
        's.partner_id',
        sql`o.state <> 'void' and o.month < s.month and exists (select from payment_invoice_line l
          where l.statement_id = o.id and l.live and l.carries is not null
            and not exists (select from payment_invoice_line u where u.carried_from_id = l.id and u.live))`,
      )} as carrying
    from statement s where s.id = ${statement}`.execute(db)
  const { draft = null, approved = null, carrying = null } = rows[0] ?? {}
  if (draft !== null) throw orderConflict('statement_after_draft', draft)
  if (approved !== null) throw orderConflict('statement_later_approved', approved)
  if (carrying !== null) throw orderConflict('statement_misses_carry', carrying)
}

/** Throws `conflict` if a later statement is reckoned on this one. Its partner must be locked. */
export async function rejectVoidBelowLater(db: Db, statement: number): Promise<void> {
  const { rows } = await sql<Record<'taker' | 'later', OtherStatement | null>>`
    select ${selectOther(
      's.partner_id',
      sql`exists (select from payment_invoice_line l join payment_invoice_line u on u.carried_from_id = l.id and u.live
        where l.statement_id = s.id and u.statement_id = o.id)`,
    )} as taker,
      case when s.state <> 'draft' then ${selectOther(
        's.partner_id',
        sql`o.state <> 'void' and o.month > s.month and (
          -- What this one takes up would be open again behind the later one.
          exists (select from payment_invoice_line l where l.statement_id = s.id and l.live and l.carried_from_id is not null)
          -- The later one writes off what this one leaves of the same earned month.
          or (b.negative_rs = 'zero' and exists (select from payment_invoice_line l
              join payment_invoice_line n on n.statement_id = o.id and n.live and n.kind = 'rs' and n.earned_month = l.earned_month
            where l.statement_id = s.id and l.live and l.kind = 'rs')))`,
      )} end as later
    from statement s left join partner_billing b on b.partner_id = s.partner_id where s.id = ${statement}`.execute(db)
  const { taker = null, later = null } = rows[0] ?? {}
  if (taker !== null) throw orderConflict('statement_is_carried', taker)
  if (later !== null) throw orderConflict('statement_before_later', later)
}

/** Throws `conflict` if a later statement is live: what is left of this one could not be drafted again. Its partner must be locked. */
export async function rejectRedraftBelowLater(db: Db, statement: number): Promise<void> {
  const { rows } = await sql<{ later: OtherStatement | null }>`
    select ${selectLater('s.partner_id', sql.ref('s.month'))} as later from statement s where s.id = ${statement}`.execute(
    db,
  )
  const later = rows[0]?.later ?? null
  if (later !== null) throw orderConflict('statement_before_later', later)
}
