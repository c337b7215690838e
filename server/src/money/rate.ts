// Exchange rates as whole numbers of hundred-millionths, and the currencies that keep a month open because amounts of it have no rate.
import { lastDayOf } from '@tributary/contract/period'
import { sql } from 'kysely'
import { type Db, type Engines, readBusinessZone } from '../entities/engine/model/request-context.ts'

/** A rate of 1. */
export const ONE_RATE = 100_000_000n

/** '1.08350000' */
export const rateText = (rate: bigint): string => `${rate / ONE_RATE}.${(rate % ONE_RATE).toString().padStart(8, '0')}`

export interface MissingRate {
  readonly currency: { readonly id: number; readonly title: string; readonly value: string }
  /** The first day of the month with an amount that has no rate, 'YYYY-MM-DD'. */
  readonly since: string
}

/** Of the players and spends of the partners: reported amounts, postbacks, prices and spends. */
export async function readMissingRates(
  db: Db,
  { clickhouse }: Pick<Engines, 'clickhouse'>,
  month: string,
  partners: readonly number[],
): Promise<MissingRate[]> {
  const [from, to] = [`${month}-01`, lastDayOf(month)]
  const zone = await readBusinessZone(db)
  const prices = await clickhouse.query<{ currency: number; day: string }>(
    `select distinct cpa_currency_id as currency, day from activity_fact final
      where is_deleted = 0 and rate_missing = 1 and cpa_currency_id != 0 and day between {from:Date} and {to:Date}
        and partner_id in {partners:Array(UInt32)}`,
    { from, to, partners },
  )
  const { rows } = await sql<{ id: number; title: string; value: string; since: string }>`
    with used as (
      select r.currency_id, r.report_date as day from player_report r join player p on p.id = r.player_id
        where p.active and p.partner_id = any(${[...partners]}::int[]) and r.report_date between ${from}::date and ${to}::date
      union
      select e.currency_id, (e.happened_at at time zone ${zone}::text)::date from player_event e join player p on p.id = e.player_id
        where p.active and p.partner_id = any(${[...partners]}::int[]) and e.happened_at >= ${from}::date - 1
          and e.happened_at < ${to}::date + 2
      union
      select s.currency_id, s.date from partner_spend s join partner_stream t on t.id = s.stream_id
        where s.active and s.sum is not null and t.partner_id = any(${[...partners]}::int[])
          and s.date between ${from}::date and ${to}::date
      union
      select currency, day::date from jsonb_to_recordset(${JSON.stringify(prices)}::jsonb) as t (currency int, day text)
    )
    select c.id, c.title, c.value, min(u.day)::text as since from used u join currency c on c.id = u.currency_id
    where u.day between ${from}::date and ${to}::date and c.id is distinct from (select report_currency_id from setting)
      and not exists (select from currency_rate r where r.currency_id = c.id and r.active and r.date <= u.day)
    group by 1, 2, 3 order by 3`.execute(db)
  return rows.map(({ since, ...currency }) => ({ currency, since }))
}
