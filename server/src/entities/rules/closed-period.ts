// Rejects changes on days of closed months with 409 `period_closed`. Every change of entered spend, of a term's value on a day, of a rate, of the
// report currency or of the business time zone has to call it in its transaction, before it writes.

import type { Period } from '@tributary/contract/period'
import type { Issue } from '@tributary/contract/validate'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../lib/app-error.ts'
import type { Db, RequestContext } from '../engine/model/request-context.ts'

/** Whose months are affected: one partner, or the partners of a stream, a partner offer, of an offer, of a payment model, or all. */
export type AffectedPartners =
  | { readonly partner: number }
  | { readonly stream: number }
  | { readonly offerPartner: number }
  | { readonly offer: number }
  | { readonly paymentModel: number }
  | 'all'

/** Business days, both included; `to` null is open-ended. */
export interface AffectedDays {
  readonly from: string
  readonly to: string | null
}

const CLOSED_DAY = sql<string>`(select (c.closed_at at time zone business_time_zone)::date::text from setting)`

const CLOSED_BY: Issue = { key: 'period_closed_by' }

interface RejectionOptions {
  /** Closes that are older do not count. */
  readonly since?: string | null
  /** What the caller is told. Its values get the month of the close, who closed it and when. */
  readonly sentence?: Issue
}

interface StandingClose {
  readonly month: string
  readonly closed_at: Date
  /** The business day of `closed_at`. */
  readonly day: string
  readonly user_id: number
  readonly full_name: string
}

/**
 * Throws `period_closed` if one of the days is in a month that is closed for one of the partners. Waits for a close that is being written, so
 * that a change is either part of the close or rejected.
 */
export async function rejectClosedDays(
  db: Db,
  context: Pick<RequestContext, 'holder'>,
  whose: AffectedPartners,
  days: readonly AffectedDays[],
  { since = null, sentence = CLOSED_BY }: RejectionOptions = {},
): Promise<void> {
  if (days.length === 0) return
  await waitForClose(db)
  const within = days.map(({ from, to }) =>
    to === null ? sql`p.month >= ${from.slice(0, 7)}` : sql`p.month between ${from.slice(0, 7)} and ${to.slice(0, 7)}`,
  )
  const { rows } = await sql<StandingClose>`
    select p.month, c.closed_at, ${CLOSED_DAY} as day, u.id as user_id, u.full_name
    from period_close_partner p join period_close c on c.id = p.period_close_id join "user" u on u.id = c.closed_by_id
    where p.reopened_at is null and c.closed_at >= coalesce(${since}::timestamptz, '-infinity') and ${ofPartners(whose)} and (${sql.join(within, sql` or `)})
    order by p.month limit 1`.execute(db)
  const [close] = rows
  if (close !== undefined) throw periodClosed(close, context, sentence)
}

/** Throws `period_closed` if one of the months ('YYYY-MM') is closed for all partners. Waits like `rejectClosedDays`. */
export async function rejectMonthsClosedForAll(
  db: Db,
  context: Pick<RequestContext, 'holder'>,
  months: readonly string[],
): Promise<void> {
  if (months.length === 0) return
  await waitForClose(db)
  const { rows } = await sql<StandingClose>`
    select c.month, c.closed_at, ${CLOSED_DAY} as day, u.id as user_id, u.full_name from period_close c join "user" u on u.id = c.closed_by_id
    where c.reopened_at is null and c.partner_group_id is null and c.month = any(${months}) order by c.month limit 1`.execute(
    db,
  )
  const [close] = rows
  if (close !== undefined) throw periodClosed(close, context)
}

/** Waits for a close that is being written; none begins before the transaction of `db` ends. */
export async function waitForClose(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('period_close'))`.execute(db)
}

/** The values of the sentence of a close. */
export interface ClosedMonth {
  readonly month: string
  readonly who: string
  readonly day: string
}

/** By 'stream YYYY-MM', the closed months of the streams' partners. */
export async function readClosedMonths(
  db: Db,
  streams: readonly number[],
  { from, to }: Period,
): Promise<ReadonlyMap<string, ClosedMonth>> {
  const { rows } = await sql<{ stream: number } & ClosedMonth>`
    select t.id as stream, p.month, u.full_name as who, ${CLOSED_DAY} as day
    from partner_stream t join period_close_partner p on p.partner_id = t.partner_id
      join period_close c on c.id = p.period_close_id join "user" u on u.id = c.closed_by_id
    where t.id = any(${streams}::int[]) and p.reopened_at is null and p.month between ${from.slice(0, 7)} and ${to.slice(0, 7)}`.execute(
    db,
  )
  return new Map(rows.map(({ stream, month, who, day }) => [`${stream} ${month}`, { month, who, day }]))
}

/** When and by whom the partner's month was closed; null while it is open. */
export async function readClose(db: Db, partner: number, month: string): Promise<{ at: string; by: string } | null> {
  const { rows } = await sql<{ closed_at: Date; full_name: string }>`
    select c.closed_at, u.full_name
    from period_close_partner p join period_close c on c.id = p.period_close_id join "user" u on u.id = c.closed_by_id
    where p.reopened_at is null and p.partner_id = ${partner} and p.month = ${month}`.execute(db)
  const [close] = rows
  return close === undefined ? null : { at: close.closed_at.toISOString(), by: close.full_name }
}

/** Throws `period_closed` if any close stands, for a change that concerns all months. */
export const rejectWhileClosed = (db: Db, context: Pick<RequestContext, 'holder'>): Promise<void> =>
  rejectClosedDays(db, context, 'all', [{ from: '0001-01-01', to: null }], { sentence: { key: 'period_closed_all' } })

function ofPartners(whose: AffectedPartners): RawBuilder<unknown> {
  if (whose === 'all') return sql`true`
  if ('partner' in whose) return sql`p.partner_id = ${whose.partner}`
  if ('stream' in whose) return sql`p.partner_id = (select partner_id from partner_stream where id = ${whose.stream})`
  if ('offerPartner' in whose)
    return sql`p.partner_id = (select partner_id from offer_partner where id = ${whose.offerPartner})`
  if ('offer' in whose)
    return sql`p.partner_id in (select partner_id from offer_partner where offer_id = ${whose.offer})`
  return sql`p.partner_id in (select l.partner_id from offer_partner l join offer o on o.id = l.offer_id
    where o.payment_model_id = ${whose.paymentModel} or exists (select from offer_payment_model_history h
      where h.offer_id = o.id and h.active and h.value_id = ${whose.paymentModel}))`
}

/** A PARTNER does not learn who closed the month. */
function periodClosed(
  { month, closed_at, day, user_id, full_name }: StandingClose,
  context: Pick<RequestContext, 'holder'>,
  sentence = CLOSED_BY,
) {
  const at = closed_at.toISOString()
  const isPartner = context.holder.role === 'PARTNER'
  return new AppError('period_closed', {
    issues: [
      isPartner
        ? { key: 'period_closed_partner', values: { month } }
        : { ...sentence, values: { ...sentence.values, month, who: full_name, day } },
    ],
    month,
    closed_at: at,
    closed_by: isPartner ? null : { id: user_id, title: full_name },
  })
}
