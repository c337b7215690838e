// What ledger entries add to their partner's ledger, in the currency of the month in which they are booked: as a running total of the key is
// converted, so that the entries of a month sum to what the ledger shows as earned.
import { sql } from 'kysely'
import type { Db } from '../entities/engine/model/request-context.ts'
import { readCurrencyHistory } from './currency-history.ts'
import { rateOf } from './movements.ts'

export interface ConvertedEntry {
  readonly id: number
  /** Null without a rate, like `rate`. */
  readonly amount: string | null
  readonly rate: string | null
  /** The code of the currency. */
  readonly currency: string
}

interface EntryRow {
  readonly id: number
  readonly partner: number
  readonly month: string
}

export async function convertEntries(db: Db, ids: readonly number[]): Promise<ConvertedEntry[]> {
  const { rows: entries } =
    await sql<EntryRow>`select id, partner_id as partner, booked_month::text as month from ledger_entry
    where id = any(${ids}::bigint[])`.execute(db)
  const currencies = await readCurrencyHistory(db, [...new Set(entries.map(({ partner }) => partner))])
  const { rows } = await sql<ConvertedEntry>`
    with wanted as (select * from unnest(${entries.map(({ id }) => id)}::bigint[],
        ${entries.map(({ partner, month }) => currencies.at(partner, month))}::int[]) as w (id, to_id)),
      running as (select e.id, e.earned_month, e.currency_id, e.amount, sum(e.amount) over (
          partition by e.partner_id, e.offer_partner_id, e.earned_month, e.kind, e.currency_id order by e.booked_month, e.id) as whole
        from ledger_entry e where exists (select from wanted w join ledger_entry o on o.id = w.id
          where (o.partner_id, o.offer_partner_id, o.earned_month, o.kind, o.currency_id)
            = (e.partner_id, e.offer_partner_id, e.earned_month, e.kind, e.currency_id))),
      rated as (select k.*, w.to_id, case when k.currency_id = w.to_id then 1 else ${rateOf(sql`k.currency_id`, sql`k.earned_month`)} end as top,
          case when k.currency_id = w.to_id then 1 else ${rateOf(sql`w.to_id`, sql`k.earned_month`)} end as bottom
        from running k join wanted w on w.id = k.id)
    select r.id, (round(whole * top / bottom, 2) - round((whole - amount) * top / bottom, 2))::numeric(28, 2)::text as amount,
      trim_scale(round(top / bottom, 8))::text as rate, coalesce(nullif(c.value, ''), c.title) as currency
    from rated r join currency c on c.id = r.to_id`.execute(db)
  return rows
}
