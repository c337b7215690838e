// Makes the figures that the demo's advertisers report for a day through the players API. A reported day keeps its figures; other days report
// the payments of postbacks. Some players have a bonus that no report has contained yet.

import type { Postgres } from '../server/src/postgres/client.ts'
import type { Answer } from './players-api-server.ts'

const BONUS = 5
/** One player in this number has a bonus. */
const BONUS_FOR = 40
/** Income as a fraction of deposits, computed by whole days and players, so that repeated requests get equal figures. */
const INCOME = 0.35

const DAY = `with day as (
    select $1::date::timestamp at time zone s.business_time_zone as begins,
      ($1::date + 1)::timestamp at time zone s.business_time_zone as ends
    from setting s
  ), paid as (
    select e.player_id, min(e.currency_id) as currency_id, count(*) filter (where e.type = 'dep') as deposits_count,
      coalesce(sum(e.amount) filter (where e.type = 'dep'), 0) as deposits,
      coalesce(sum(e.amount) filter (where e.type = 'bet'), 0) as bets
    from player_event e, day
    where e.happened_at >= day.begins and e.happened_at < day.ends and e.type in ('dep', 'bet')
    group by e.player_id
  ), known as (
    select * from player_report where report_date = $1::date
  )
  select p.outer_id as player_id, $1 as report_date, to_char(p.registered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as registered_at,
    p.click_id, p.geo_country as country, p.site_id, p.sub_id, p.promocode, c.value as currency,
    coalesce(k.first_day_amount,
      case when p.first_deposit_at >= day.begins and p.first_deposit_at < day.ends then e.deposits else 0 end) as first_day_amount,
    coalesce(k.deposits_count, e.deposits_count) as deposits_count, coalesce(k.deposits, e.deposits) as deposits,
    coalesce(k.bets, e.bets) as bets, case when p.id % ${BONUS_FOR} = 0 then ${BONUS} else coalesce(k.bonus, 0) end as bonus,
    coalesce(k.commission, round(e.deposits * ${INCOME} * 0.05, 2)) as commission,
    coalesce(k.total_commission, round(e.deposits * ${INCOME} * 0.05, 2)) as total_commission,
    coalesce(k.income, round(e.deposits * ${INCOME}, 2)) as income
  from paid e full join known k using (player_id)
    join player p on p.id = player_id join currency c on c.id = coalesce(k.currency_id, e.currency_id)
    join advertiser a on a.id = p.advertiser_id, day
  where coalesce(a.crm_id, a.title) = $2 order by p.id`

export function openBooks({ pool }: Pick<Postgres, 'pool'>): Answer {
  return async ({ date, advertiser }) => (await pool.query<object>(DAY, [date, advertiser])).rows
}
