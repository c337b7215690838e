// Accepted spends of days on which they belong to no agency offer: left behind by another payment model, to be removed by hand. The partner
// offer is the one by which the spend counts in reports. The queue beside the table and the checklist of a close both ask here.

import type { MissingSpends } from '@tributary/contract/calls/spend-table'
import { lastDayOf } from '@tributary/contract/period'
import { sql } from 'kysely'
import { SPEND_OFFER_PARTNER } from '../../facts/spends/spend-records.ts'
import { entityNamed } from '../engine/model/model.ts'
import type { Db, RequestContext } from '../engine/model/request-context.ts'

type LeftSpend = MissingSpends['left'][number]

export interface LeftSpends {
  /** The newest ones. */
  readonly items: LeftSpend[]
  readonly count: number
}

const LISTED = 500

/** The model of the spend's day: that of a range, else the offer's; none without a partner offer. */
const LEFT = sql`
  from partner_spend as s join partner_stream as t on t.id = s.stream_id join partner as p on p.id = t.partner_id
    left join offer_partner as l on l.id = ${sql.raw(SPEND_OFFER_PARTNER)}
    left join offer as o on o.id = l.offer_id left join payment_model as m on m.id = o.payment_model_id
    left join lateral (select v.type, v.title from offer_payment_model_history h join payment_model v on v.id = h.value_id
      where h.offer_id = o.id and h.active and h.date_from <= s.date and (h.date_to is null or s.date <= h.date_to) limit 1) as d on true
  where s.active and s.sum is not null and coalesce(d.type, m.type) is distinct from 'AGENCY'`

/** Closed months take no change, so that there is nothing to remove. */
const IS_OPEN = sql`not exists (select from period_close_partner c
  where c.partner_id = p.id and c.reopened_at is null and c.month = to_char(s.date, 'YYYY-MM'))`

/** `partners` null: of all that the caller sees. */
export async function findLeftSpends(
  { engines, scopeOf }: Pick<RequestContext, 'engines' | 'scopeOf'>,
  partners: readonly number[] | null,
): Promise<LeftSpends> {
  const scope = scopeOf(entityNamed('partner_stream'), 't') ?? sql`true`
  const { rows } = await sql<{ readonly item: LeftSpend; readonly total: number }>`
    select json_build_object('id', s.id, 'date', s.date, 'partner', json_build_object('id', p.id, 'title', p.title),
        'stream', json_build_object('id', t.id, 'title', t.title), 'site_id', s.site_id, 'sum', s.sum::text,
        'country', (select json_build_object('id', k.id, 'title', k.title) from country k where k.id = s.country_id),
        'currency', (select value from currency where id = s.currency_id), 'model', coalesce(d.title, m.title)) as item,
      (count(*) over ())::int as total
    ${LEFT} and ${IS_OPEN} and (${partners}::int[] is null or p.id = any(${partners}::int[])) and ${scope}
    order by s.date desc, s.id desc limit ${LISTED}`.execute(engines.postgres.db)
  return { items: rows.map(({ item }) => item), count: rows[0]?.total ?? 0 }
}

/** Those of the partners' month, closed or not: the number of all, and the first `limit` ids. */
export async function findLeftSpendsOfMonth(
  db: Db,
  month: string,
  partners: readonly number[],
  limit: number,
): Promise<{ count: number; ids: number[] }> {
  const { rows } = await sql<{ readonly id: number; readonly total: number }>`
    select s.id, (count(*) over ())::int as total
    ${LEFT} and p.id = any(${partners}::int[]) and s.date between ${`${month}-01`}::date and ${lastDayOf(month)}::date
    order by s.id limit ${limit}`.execute(db)
  return { ids: rows.map(({ id }) => id), count: rows[0]?.total ?? 0 }
}

/** Those of an offer that can be removed. */
export async function countLeftSpends(db: Db, offer: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with own as (select id, stream_id from offer_partner where offer_id = ${offer}::int),
      narrowed as (select id from partner_spend where offer_partner_id in (select id from own)
        union all select id from partner_spend where offer_partner_id is null and stream_id in (select stream_id from own))
    select count(*)::int as count ${LEFT} and ${IS_OPEN} and o.id = ${offer}::int and s.id in (select id from narrowed)`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
