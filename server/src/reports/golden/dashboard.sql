select groupArray(c_country), groupArray(c_day), groupArray(length(facts.n) + 2), groupArrayArray(arrayConcat(facts.n, [facts.n_entered_spend, facts.n_traffic])), max(facts.n_rate_missing)
from (
select country_id as c_country, day as c_day, [toInt64(sum(is_click)), toInt64(sum(is_unique))] as n, toInt64(0) as n_entered_spend, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p1:Array(UInt32)}
group by c_country, c_day
union all
select country_id as c_country, day as c_day, [0, 0, toInt64(sum(registrations)), toInt64(sum(first_deposits)), toInt64(sum(deposits_count)), toInt64(sum(deposits) * 10000), toInt64(sum(first_day_amount) * 10000), toInt64(sum(first_amount) * 10000), toInt64(sum(bets) * 10000), toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})), toInt64(countIf(bets > 0 and previous_bet_day < greatest({from1:Date}, day))), toInt64(sum(income) * 10000), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p2:Array(UInt32)}
group by c_country, c_day
union all
select country_id as c_country, day as c_day, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(countIf(sum != 0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p3:Array(UInt32)}
group by c_country, c_day
) as facts
having throwIf(count() > 30000, 'too many groups') = 0;
-- {"scope":[1,2],"from1":"2026-06-01","to1":"2026-06-30","p1":[7],"p2":[7],"p3":[7]}

select groupArray(c_day), groupArray(length(facts.n) + 2), groupArrayArray(arrayConcat(facts.n, [facts.n_entered_spend, facts.n_traffic])), max(facts.n_rate_missing)
from (
select day as c_day, [toInt64(sum(is_click)), toInt64(sum(is_unique))] as n, toInt64(0) as n_entered_spend, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p1:Array(UInt32)}
group by c_day
union all
select day as c_day, [0, 0, toInt64(sum(registrations)), toInt64(sum(first_deposits)), toInt64(sum(deposits_count)), toInt64(sum(deposits) * 10000), toInt64(sum(first_day_amount) * 10000), toInt64(sum(first_amount) * 10000), toInt64(sum(bets) * 10000), toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})), toInt64(countIf(bets > 0 and previous_bet_day < greatest({from1:Date}, day))), toInt64(sum(income) * 10000), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p2:Array(UInt32)}
group by c_day
union all
select day as c_day, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(countIf(sum != 0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p3:Array(UInt32)}
group by c_day
) as facts
having throwIf(count() > 30000, 'too many groups') = 0;
-- {"scope":[1,2],"from1":"2026-06-01","to1":"2026-06-30","p1":[7],"p2":[7],"p3":[7]}

select groupArray(c_partner), groupArray(c_day), groupArray(length(facts.n) + 2), groupArrayArray(arrayConcat(facts.n, [facts.n_entered_spend, facts.n_traffic])), max(facts.n_rate_missing)
from (
select partner_id as c_partner, day as c_day, [toInt64(sum(is_click)), toInt64(sum(is_unique))] as n, toInt64(0) as n_entered_spend, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p1:Array(UInt32)}
group by c_partner, c_day
union all
select partner_id as c_partner, day as c_day, [0, 0, toInt64(sum(registrations)), toInt64(sum(first_deposits)), toInt64(sum(deposits_count)), toInt64(sum(deposits) * 10000), toInt64(sum(first_day_amount) * 10000), toInt64(sum(first_amount) * 10000), toInt64(sum(bets) * 10000), toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})), toInt64(countIf(bets > 0 and previous_bet_day < greatest({from1:Date}, day))), toInt64(sum(income) * 10000), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p2:Array(UInt32)}
group by c_partner, c_day
union all
select partner_id as c_partner, day as c_day, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(countIf(sum != 0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p3:Array(UInt32)}
group by c_partner, c_day
) as facts
having throwIf(count() > 30000, 'too many groups') = 0;
-- {"scope":[1,2],"from1":"2026-06-01","to1":"2026-06-30","p1":[7],"p2":[7],"p3":[7]}
