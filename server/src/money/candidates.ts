// What may stand on a partner's statement: booked entries and items of the ledger and adjustments that no live statement holds.
import { formatMoney } from '@tributary/contract/money'
import { type RawBuilder, sql } from 'kysely'
import type { Provisional } from './provisional.ts'

export interface CandidateScope {
  readonly partners: readonly number[]
  readonly month: string
  /** Partner offers; null: all. */
  readonly offerPartners: readonly number[] | null
  /** The business day on which holds are reckoned. */
  readonly today: string
  /** Drafts that are being written anew: their items are free. */
  readonly rewritten: readonly number[]
  /** What a close would book now for partners whose month is open; null: open months have no statement. */
  readonly provisional: readonly Provisional[] | null
}

/**
 * Rows {partner_id, verdict, kind, source, source ids, grain, price, quantity, base, rate, amount, currency_id, earned_month, booked_month}. Verdicts: payable, on_hold,
 * not_resolved. A negative item is always payable, and so is the positive one that it cancels: neither would ever be decided otherwise.
 */
export function selectCandidates(scope: CandidateScope): RawBuilder<unknown> {
  const { partners, month, offerPartners, today, rewritten } = scope
  const isTaken = (column: string, row: string) =>
    sql`exists (select from statement_item s where s.live and ${sql.ref(`s.${column}`)} = ${sql.ref(row)}
      and s.statement_id <> all(${rewritten}::int[]))`
  const fresh = selectProvisional(scope.provisional ?? [], offerPartners)
  return sql`
    with entry as (
      select e.* from ledger_entry e
      where e.partner_id = any(${partners}::int[]) and e.booked_month <= ${month}
        and (${offerPartners}::int[] is null or e.offer_partner_id = any(${offerPartners}::int[]))
    ), item as (
      select ${ENTRY_COLUMNS}, i.id, i.player_id, i.day, i.quantity, i.base, i.amount
      from entry e join ledger_item i on i.ledger_entry_id = e.id
      where e.kind = 'cpa' and not ${isTaken('ledger_item_id', 'i.id')}${fresh.players}
    ), cancelled as (
      select player_id, offer_partner_id, base from item where quantity < 0
    ), percentage as (
      select ${ENTRY_COLUMNS}, e.kind, e.id, e.amount as whole, i.rate, sum(i.base) as base, sum(i.amount) as exact
      from entry e left join ledger_item i on i.ledger_entry_id = e.id
      where e.kind <> 'cpa' and not ${isTaken('ledger_entry_id', 'e.id')}
      group by ${ENTRY_COLUMNS}, e.kind, e.id, e.amount, i.rate${fresh.days}
    ), part as (
      select *, round(sum(exact) over by_rate, 2) - round(sum(exact) over by_rate - exact, 2) as rounded,
        round(sum(exact) over by_rate - exact, 2) as before, lead(id) over by_rate is null as is_last
      from percentage window by_rate as (partition by id order by rate)
    )
    select i.partner_id,
      case
        when i.quantity < 0 or exists (select from cancelled c where c.player_id = i.player_id
          and c.offer_partner_id = i.offer_partner_id and c.base = i.base) then 'payable'
        when i.day + coalesce(b.hold_days, 0) > ${today}::date then 'on_hold'
        when (select pays_approved_only from setting) and p.payment_resolution is distinct from 'approved' then 'not_resolved'
        else 'payable'
      end as verdict,
      'cpa' as kind, i.source, i.id as ledger_item_id, null::bigint as ledger_entry_id, null::int as adjustment_id,
      i.offer_partner_id, i.earned_month, i.currency_id, i.stream_id, i.traffic_source_id, i.country_id, i.advertiser_id,
      i.quantity::int as quantity, i.base as price, null::numeric as base, null::numeric as rate, i.amount, null::text as note,
      i.booked_month::text as booked_month
    from item i left join partner_billing b on b.partner_id = i.partner_id left join player p on p.id = i.player_id
    union all
    -- Parts are rounded as a running total, so that they sum to the entry.
    select partner_id, 'payable', kind, source, null, nullif(greatest(id, 0), 0), null, offer_partner_id, earned_month, currency_id, stream_id,
      traffic_source_id, country_id, advertiser_id, null, null, base, rate, case when is_last then whole - coalesce(before, 0) else rounded end,
      null, booked_month
    from part
    union all
    select a.partner_id, 'payable', case a.kind when 'fee' then 'fee' else 'adjustment' end, null, null, null, a.id, a.offer_partner_id,
      a.month, a.currency_id, l.stream_id, l.traffic_source_id, c.country_id, o.advertiser_id, null, null, null, null, a.amount, a.note, a.month
    from adjustment a left join offer_partner l on l.id = a.offer_partner_id left join offer o on o.id = l.offer_id
      left join advertiser_country c on c.id = o.advertiser_country_id
    where a.partner_id = any(${partners}::int[]) and a.month <= ${month}
      and (${offerPartners}::int[] is null or a.offer_partner_id is null or a.offer_partner_id = any(${offerPartners}::int[]))
      and not ${isTaken('adjustment_id', 'a.id')}`
}

const ENTRY_COLUMNS = sql`e.partner_id, e.offer_partner_id, e.earned_month, e.booked_month, e.currency_id, e.stream_id, e.traffic_source_id,
  e.country_id, e.advertiser_id, e.source`

/** Rows of what is not booked yet, to be added to the players and percentages of entries. Its entries have negative ids. */
function selectProvisional(
  provisional: readonly Provisional[],
  offerPartners: readonly number[] | null,
): { players: RawBuilder<unknown>; days: RawBuilder<unknown> } {
  const wanted = offerPartners === null ? null : new Set(offerPartners)
  const owed = provisional.filter(({ key }) => wanted === null || wanted.has(key.offerPartner))
  if (owed.length === 0) return { players: sql``, days: sql`` }
  const keys = owed.map(({ key, difference }, index) => ({
    id: -1 - index,
    ...key,
    whole: formatMoney(difference.amount),
  }))
  const items = owed.flatMap(({ difference }, index) =>
    difference.items.map(({ player, day, quantity, rate, base, amount }) => ({
      entry: -1 - index,
      player,
      day,
      quantity,
      rate: rate === null ? null : formatMoney(rate),
      base: formatMoney(base),
      amount: formatMoney(amount),
    })),
  )
  const [players, days] = [items.filter(({ player }) => player !== null), items.filter(({ player }) => player === null)]
  const entries = sql`(select id, partner as partner_id, "offerPartner" as offer_partner_id, month as earned_month, month as booked_month,
      currency as currency_id, nullif(stream, 0) as stream_id, nullif("trafficSource", 0) as traffic_source_id,
      nullif(country, 0) as country_id, advertiser as advertiser_id, 'close' as source, kind, whole
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k (id bigint, partner int, month month_text, "offerPartner" int, stream int,
      "trafficSource" int, country int, advertiser int, kind text, currency int, whole numeric)) as e`
  return {
    players: sql`
      union all
      select ${ENTRY_COLUMNS}, null, i.player, i.day, i.quantity, i.base, i.amount
      from ${entries} join jsonb_to_recordset(${JSON.stringify(players)}::jsonb) as i (entry bigint, player bigint, day date,
        quantity smallint, base numeric, amount numeric) on i.entry = e.id`,
    days: sql`
      union all
      select ${ENTRY_COLUMNS}, e.kind, e.id, e.whole, i.rate, sum(i.base), sum(i.amount)
      from ${entries} join jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as i (entry bigint, rate numeric, base numeric, amount numeric)
        on i.entry = e.id
      group by ${ENTRY_COLUMNS}, e.kind, e.id, e.whole, i.rate`,
  }
}
