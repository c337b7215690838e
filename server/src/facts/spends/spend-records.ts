// Reads accepted spends with their partner offer: the one chosen at entry, else the stream's partner offer in that country (and of the
// entered site, if there is one). Claims without an accepted sum are skipped.

import { divideHalfUp, parseMoney } from '@tributary/contract/money'
import { FIRST_DAY, LAST_DAY } from '../columns.ts'
import type { SpendFact } from '../fact-row.ts'
import type { Snapshot } from '../snapshot.ts'
import { type Dated, HUNDRED_PERCENT, type Rates, toReportCurrency, valueInForce } from '../terms.ts'

/** One accepted spend with the dimensions of its partner offer. */
export interface SpendRecord
  extends Omit<
    SpendFact,
    'base_original' | 'base' | 'sum' | 'rate_missing' | 'is_agency' | 'agency_rate' | 'sum_original'
  > {
  /** The accepted amount in ten-thousandths of its currency. */
  readonly entered: bigint
  /** A percentage is added. */
  readonly hasPercentage: boolean
  /** The partner offer is AGENCY on that day, so the spend is owed. */
  readonly isAgency: boolean
  /** That of the partner offer, in ten-thousandths of a percent; null: that of the settings applies. */
  readonly ownPercentage: bigint | null
}

interface SpendRow {
  spend_id: number
  day: string
  offer_partner_id: number
  offer_id: number
  partner_id: number
  advertiser_id: number
  stream_id: number
  traffic_source_id: number
  country_id: number
  site_id: string
  sub_id: string
  media_id: string
  currency_id: number
  entered: string
  has_percentage: boolean
  is_agency: boolean
  own_percentage: string | null
}

/** The partner offer of a spend `s`: the one chosen at entry, else the first one of its place. Null: there is none. */
export const SPEND_OFFER_PARTNER = `coalesce(s.offer_partner_id, (
    select k.id
    from offer_partner k
      join offer f on f.id = k.offer_id
      join advertiser_country p on p.id = f.advertiser_country_id
    where k.stream_id = s.stream_id and p.country_id = s.country_id and (s.site_id is null or k.site_id = s.site_id)
    order by k.active desc, k.id
    limit 1
  ))`

const SPENDS = `select s.id as spend_id, least(greatest(s.date, date '${FIRST_DAY}'), date '${LAST_DAY}') as day,
    coalesce(l.id, 0) as offer_partner_id, coalesce(l.offer_id, 0) as offer_id, t.partner_id,
    coalesce(o.advertiser_id, 0) as advertiser_id, s.stream_id, coalesce(l.traffic_source_id, t.traffic_source_id, 0) as traffic_source_id,
    s.country_id, coalesce(s.site_id, l.site_id, '') as site_id, coalesce(l.sub_id, '') as sub_id,
    coalesce(c.media_id, a.media_id, '') as media_id, s.currency_id, s.sum as entered, coalesce(m.type = 'AGENCY', false) as is_agency,
    s.keeps_percentage or coalesce(m.type = 'AGENCY', false) as has_percentage,
    (select value from offer_partner_agency_percentage_history h
      where h.offer_partner_id = l.id and h.active and daterange(h.date_from, h.date_to, '[]') @> s.date) as own_percentage
  from partner_spend s
    join partner_stream t on t.id = s.stream_id
    left join offer_partner l on l.id = ${SPEND_OFFER_PARTNER}
    left join offer o on o.id = l.offer_id
    left join payment_model m on m.id = payment_model_on(o.id, s.date)
    left join advertiser a on a.id = o.advertiser_id
    left join advertiser_country c on c.id = o.advertiser_country_id
  where s.id = any($1) and s.active and s.sum is not null
  order by s.id`

/** The spends that still exist, with what their facts depend on. Money is in ten-thousandths. */
export async function readSpends(snapshot: Snapshot, ids: readonly number[]): Promise<SpendRecord[]> {
  const rows = await snapshot.read<SpendRow>(SPENDS, [ids])
  return rows.map(({ entered, is_agency, has_percentage, own_percentage, ...row }) => ({
    ...row,
    hasPercentage: has_percentage,
    entered: parseMoney(entered) ?? 0n,
    isAgency: is_agency,
    ownPercentage: own_percentage === null ? null : parseMoney(own_percentage),
  }))
}

/** Computes the fact of a spend in the report currency. Agency spends get the percentage of their day on top. */
export function projectSpend(
  { entered, hasPercentage, isAgency, ownPercentage, ...record }: SpendRecord,
  percentages: Dated<bigint>,
  rates: Rates,
): SpendFact {
  const base = toReportCurrency(rates, entered, record.currency_id, record.day)
  const percentage = hasPercentage ? (ownPercentage ?? valueInForce(percentages, record.day)) : 0n
  const withPercentage = (amount: bigint): bigint =>
    divideHalfUp(amount * (HUNDRED_PERCENT + percentage), HUNDRED_PERCENT) ?? 0n
  return {
    ...record,
    base_original: entered,
    base: base ?? 0n,
    sum: withPercentage(base ?? 0n),
    rate_missing: base === null ? 1 : 0,
    is_agency: isAgency ? 1 : 0,
    agency_rate: percentage,
    sum_original: withPercentage(entered),
  }
}
