// What may stand on a partner's statement: booked entries and items of the ledger and adjustments that no live statement holds.
import { type RawBuilder, sql } from 'kysely'

export interface CandidateScope {
  readonly partners: readonly number[]
  readonly month: string
  /** Partner offers; null: all. */
  readonly offerPartners: readonly number[] | null
  /** The business day on which holds are reckoned. */
  readonly today: string
  /** Drafts that are being written anew: their items are free. */
  readonly rewritten: readonly number[]
}

/**
 * Rows {partner_id, verdict, kind, source ids, grain, price, quantity, base, rate, amount, currency_id, earned_month, booked_month}. Verdicts: payable, on_hold,
 * not_resolved. A negative item is always payable, and so is the positive one that it cancels: neither would ever be decided otherwise.
 */
export function selectCandidates(scope: CandidateScope): RawBuilder<unknown> {
  const { partners, month, offerPartners, today, rewritten } = scope
  const isTaken = (column: string, row: string) =>
    sql`exists (select from statement_item s where s.live and ${sql.ref(`s.${column}`)} = ${sql.ref(row)}
      and s.statement_id <> all(${rewritten}::int[]))`
  return sql`
    with entry as (
      select e.* from ledger_entry e
      where e.partner_id = any(${partners}::int[]) and e.booked_month <= ${month}
        and (${offerPartners}::int[] is null or e.offer_partner_id = any(${offerPartners}::int[]))
    ), item as (
      select e.partner_id, e.offer_partner_id, e.earned_month, e.booked_month, e.currency_id, e.stream_id, e.traffic_source_id, e.country_id,
        e.advertiser_id, i.id, i.player_id, i.day, i.quantity, i.base, i.amount
      from entry e join ledger_item i on i.ledger_entry_id = e.id
      where e.kind = 'cpa' and not ${isTaken('ledger_item_id', 'i.id')}
    ), cancelled as (
      select player_id, offer_partner_id, base from item where quantity < 0
    )
    select i.partner_id,
      case
        when i.quantity < 0 or exists (select from cancelled c where c.player_id = i.player_id
          and c.offer_partner_id = i.offer_partner_id and c.base = i.base) then 'payable'
        when i.day + coalesce(b.hold_days, 0) > ${today}::date then 'on_hold'
        when (select pays_approved_only from setting) and p.payment_resolution is distinct from 'approved' then 'not_resolved'
        else 'payable'
      end as verdict,
      'cpa' as kind, i.id as ledger_item_id, null::bigint as ledger_entry_id, null::int as adjustment_id,
      i.offer_partner_id, i.earned_month, i.currency_id, i.stream_id, i.traffic_source_id, i.country_id, i.advertiser_id,
      i.quantity::int as quantity, i.base as price, null::numeric as base, null::numeric as rate, i.amount, null::text as note,
      i.booked_month::text as booked_month
    from item i left join partner_billing b on b.partner_id = i.partner_id left join player p on p.id = i.player_id
    union all
    select e.partner_id, 'payable', e.kind, null, e.id, null, e.offer_partner_id, e.earned_month, e.currency_id, e.stream_id,
      e.traffic_source_id, e.country_id, e.advertiser_id, null, null, i.base, i.rate, e.amount, null, e.booked_month
    from entry e, lateral (select sum(base) as base, case when min(rate) = max(rate) then min(rate) end as rate
      from ledger_item where ledger_entry_id = e.id) i
    where e.kind <> 'cpa' and not ${isTaken('ledger_entry_id', 'e.id')}
    union all
    select a.partner_id, 'payable', case a.kind when 'fee' then 'fee' else 'adjustment' end, null, null, a.id, a.offer_partner_id,
      a.month, a.currency_id, l.stream_id, l.traffic_source_id, c.country_id, o.advertiser_id, null, null, null, null, a.amount, a.note, a.month
    from adjustment a left join offer_partner l on l.id = a.offer_partner_id left join offer o on o.id = l.offer_id
      left join advertiser_country c on c.id = o.advertiser_country_id
    where a.partner_id = any(${partners}::int[]) and a.month <= ${month}
      and (${offerPartners}::int[] is null or a.offer_partner_id is null or a.offer_partner_id = any(${offerPartners}::int[]))
      and not ${isTaken('adjustment_id', 'a.id')}`
}
