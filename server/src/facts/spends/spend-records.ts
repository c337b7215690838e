// Entered spends as the record has them now, each with its partner offer: the stream's partner offer whose offer is of that country, and of the entered site.

import { divideHalfUp, parseMoney } from '@tributary/contract/money'
import { FIRST_DAY, LAST_DAY } from '../columns.ts'
import type { SpendFact } from '../fact-row.ts'
import type { Snapshot } from '../snapshot.ts'
import { type Rates, toReportCurrency, WHOLE } from '../terms.ts'

/** The partner offer that carries it is chosen when the record is read. */
export interface SpendRecord extends Omit<SpendFact, 'base_original' | 'base' | 'sum' | 'rate_missing'> {
  /** As entered, ten-thousandths of its currency. */
  readonly entered: bigint
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
}

const SPENDS = `select s.id as spend_id, least(greatest(s.date, date '${FIRST_DAY}'), date '${LAST_DAY}') as day,
    coalesce(l.id, 0) as offer_partner_id, coalesce(l.offer_id, 0) as offer_id, t.partner_id,
    coalesce(l.advertiser_id, 0) as advertiser_id, s.stream_id, coalesce(l.traffic_source_id, t.traffic_source_id, 0) as traffic_source_id,
    s.country_id, coalesce(s.site_id, l.site_id, '') as site_id, coalesce(l.sub_id, '') as sub_id, coalesce(l.media_id, '') as media_id,
    s.currency_id, s.sum as entered
  from partner_spend s
    join partner_stream t on t.id = s.stream_id
    left join lateral (
      select l.id, l.offer_id, l.traffic_source_id, l.site_id, l.sub_id, o.advertiser_id, coalesce(c.media_id, a.media_id) as media_id
      from offer_partner l
        join offer o on o.id = l.offer_id
        join advertiser_country c on c.id = o.advertiser_country_id
        join advertiser a on a.id = o.advertiser_id
      where l.stream_id = s.stream_id and c.country_id = s.country_id and (s.site_id is null or l.site_id = s.site_id)
      order by l.active desc, l.id
      limit 1
    ) l on true
  where s.id = any($1) and s.active
  order by s.id`

export async function readSpends(snapshot: Snapshot, ids: readonly number[]): Promise<SpendRecord[]> {
  const rows = await snapshot.read<SpendRow>(SPENDS, [ids])
  return rows.map(({ entered, ...row }) => ({ ...row, entered: parseMoney(entered) ?? 0n }))
}

/** The row that reports read, in the report currency with the agency's percentage on it. `percentage` in ten-thousandths of a percent. */
export function projectSpend({ entered, ...record }: SpendRecord, percentage: bigint, rates: Rates): SpendFact {
  const base = toReportCurrency(rates, entered, record.currency_id, record.day)
  const sum = divideHalfUp((base ?? 0n) * (WHOLE + percentage), WHOLE) ?? 0n
  return { ...record, base_original: entered, base: base ?? 0n, sum, rate_missing: base === null ? 1 : 0 }
}
