select 0 as items, [tuple(level, n)] as tree, [] as lost_groups
from (
select toUInt8(0) as level, arrayConcat(arrayResize(sumForEach(leaf.n), 13), [sum(leaf.entered_spend), sum(leaf.reported_facts), sum(leaf.unreported_facts), arrayResize(sumForEach(leaf.n), 13)[13], max(leaf.rate_missing), toInt64(0)]) as n, [] as lost_groups
from (
select sumForEach(facts.n) as n, sum(facts.n_entered_spend) as entered_spend, sum(facts.n_reported_facts) as reported_facts, sum(facts.n_unreported_facts) as unreported_facts, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select [toInt64(sum(is_click)), toInt64(sum(is_unique))] as n, toInt64(0) as n_entered_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), sum(is_click), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, sum(is_click))) as n_unreported_facts, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id in {p1:Array(UInt32)}
group by day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select [0, 0, toInt64(sum(registrations)), toInt64(sum(first_deposits)), toInt64(sum(deposits_count)), toInt64(sum(deposits) * 10000), toInt64(sum(first_day_amount) * 10000), toInt64(sum(first_amount) * 10000), toInt64(sum(bets) * 10000), toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})), toInt64(sum(income) * 10000), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), count(), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, count())) as n_unreported_facts, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id in {p2:Array(UInt32)}
group by day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(countIf(sum != 0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id in {p3:Array(UInt32)}
) as facts
) as leaf
having sum(all_traffic) > 0 or level = 0
);
-- {"scope":[1,2],"from1":"2026-06-01","to1":"2026-06-30","p1":[1,2],"reporting_advertisers":[0,1],"reported_days":["2149-06-06","2026-06-30"],"p2":[1,2],"p3":[1,2]}

select 0 as items, [tuple(level, n)] as tree, [] as lost_groups
from (
select toUInt8(0) as level, arrayConcat(arrayResize(sumForEach(leaf.n), 13), [sum(leaf.entered_spend), sum(leaf.reported_facts), sum(leaf.unreported_facts), arrayResize(sumForEach(leaf.n), 13)[13], max(leaf.rate_missing), toInt64(0)]) as n, [] as lost_groups
from (
select sumForEach(facts.n) as n, sum(facts.n_entered_spend) as entered_spend, sum(facts.n_reported_facts) as reported_facts, sum(facts.n_unreported_facts) as unreported_facts, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select [toInt64(sum(is_click)), toInt64(sum(is_unique))] as n, toInt64(0) as n_entered_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), sum(is_click), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, sum(is_click))) as n_unreported_facts, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and partner_id in {p1:Array(UInt32)}
  and country_id not in {p2:Array(UInt32)}
group by day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select [0, 0, toInt64(sum(registrations)), toInt64(sum(first_deposits)), toInt64(sum(deposits_count)), toInt64(sum(deposits) * 10000), toInt64(sum(first_day_amount) * 10000), toInt64(sum(first_amount) * 10000), toInt64(sum(bets) * 10000), toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})), toInt64(sum(income) * 10000), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), count(), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, count())) as n_unreported_facts, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and partner_id in {p3:Array(UInt32)}
  and country_id not in {p4:Array(UInt32)}
group by day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(countIf(sum != 0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and partner_id in {p5:Array(UInt32)}
  and country_id not in {p6:Array(UInt32)}
) as facts
) as leaf
having sum(all_traffic) > 0 or level = 0
);
-- {"scope":[1,2],"from1":"2026-06-01","to1":"2026-06-30","p1":[1,2],"p2":[7],"reporting_advertisers":[0,1],"reported_days":["2149-06-06","2026-06-30"],"p3":[1,2],"p4":[7],"p5":[1,2],"p6":[7]}

select 0 as items, tree, lost_groups from (
with n[1] as clicks, n[2] as unique_clicks, n[3] as registrations, n[4] as new_deposits, n[5] as deposits_count, n[6] as deposits_amount, n[7] as first_day_amount, n[8] as first_amount, n[9] as bets, n[12] as income, n[13] as player_spend, n[15] as entered_spend, n[16] as reported_facts, n[17] as unreported_facts, n[18] as bettors, n[19] as players, n[20] as rate_missing, n[21] as lost_spends
select level = 0 as is_total, g1, groupArray(tuple(level, g1, n)) as tree, anyIf(g1, level = 1) as sort_key,
  anyIf(lost_groups, level = 0) as lost_groups
from (
select g1, toUInt8(1 - bitCount(grouping(g1))) as level, arrayConcat(arrayResize(sumForEach(leaf.n), 14), [if(level = 0, sum(leaf.entered_spend), sumIf(leaf.entered_spend, all_traffic > 0)), sum(leaf.reported_facts), sum(leaf.unreported_facts), multiIf(level = 0, arrayResize(sumForEach(leaf.n), 14)[10], arrayResize(sumForEach(leaf.n), 14)[11]), arrayResize(sumForEach(leaf.n), 14)[14], max(leaf.rate_missing), toInt64(countIf((leaf.entered_spend != 0) and all_traffic <= 0))]) as n, groupUniqArrayIf(1000)(tuple(leaf.g1), (leaf.entered_spend != 0) and all_traffic <= 0) as lost_groups
from (
select c_day as g1, sumForEach(facts.n) as n, sum(facts.n_entered_spend) as entered_spend, sum(facts.n_reported_facts) as reported_facts, sum(facts.n_unreported_facts) as unreported_facts, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select day as c_day, [toInt64(sum(is_click)), toInt64(sum(is_unique))] as n, toInt64(0) as n_entered_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), sum(is_click), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, sum(is_click))) as n_unreported_facts, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p1:Array(UInt32)}
group by c_day, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select day as c_day, [0, 0, toInt64(sum(registrations)), toInt64(sum(first_deposits)), toInt64(sum(deposits_count)), toInt64(sum(deposits) * 10000), toInt64(sum(first_day_amount) * 10000), toInt64(sum(first_amount) * 10000), toInt64(sum(bets) * 10000), toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})), toInt64(countIf(bets > 0 and previous_bet_day < greatest({from1:Date}, day))), toInt64(sum(income) * 10000), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), count(), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, count())) as n_unreported_facts, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p2:Array(UInt32)}
group by c_day, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select day as c_day, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(countIf(sum != 0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p3:Array(UInt32)}
group by c_day
) as facts
group by g1
) as leaf
group by g1 with rollup
having sum(all_traffic) > 0 or level = 0
)
group by is_total, g1
)
order by is_total desc, sort_key asc nulls last, g1 asc;
-- {"scope":[1,2],"from1":"2026-06-01","to1":"2026-06-30","p1":[7],"reporting_advertisers":[0,1],"reported_days":["2149-06-06","2026-06-30"],"p2":[7],"p3":[7]}

select items, tree, lost_groups from (
select tree, lost_groups, row_number() over (order by is_total desc, sort_key desc nulls last, g1 asc) as place, count() over () - 1 as items
from (
with n[1] as clicks, n[2] as unique_clicks, n[3] as registrations, n[4] as new_deposits, n[5] as deposits_count, n[6] as deposits_amount, n[7] as first_day_amount, n[8] as first_amount, n[9] as bets, n[12] as income, n[13] as player_spend, n[15] as entered_spend, n[16] as reported_facts, n[17] as unreported_facts, n[18] as bettors, n[19] as players, n[20] as rate_missing, n[21] as lost_spends
select level = 0 as is_total, g1, groupArray(tuple(level, g1, g2, n)) as tree, anyIf(if(unreported_facts > 0 and reported_facts = 0, null, (sign((toInt128(income))) * sign(toInt128(100)) * intDiv(2 * abs((toInt128(income))) + abs(toInt128(100)), nullIf(2 * abs(toInt128(100)), 0)))), level = 1) as sort_key,
  anyIf(lost_groups, level = 0) as lost_groups
from (
select g1, g2, toUInt8(2 - bitCount(grouping(g1, g2))) as level, arrayConcat(arrayResize(sumForEach(leaf.n), 14), [if(level = 0, sum(leaf.entered_spend), sumIf(leaf.entered_spend, all_traffic > 0)), sum(leaf.reported_facts), sum(leaf.unreported_facts), multiIf(level = 0, arrayResize(sumForEach(leaf.n), 14)[10], level = 1, arrayResize(sumForEach(leaf.n), 14)[10], arrayResize(sumForEach(leaf.n), 14)[11]), arrayResize(sumForEach(leaf.n), 14)[14], max(leaf.rate_missing), toInt64(countIf((leaf.entered_spend != 0) and all_traffic <= 0))]) as n, groupUniqArrayIf(1000)(tuple(leaf.g1, leaf.g2), (leaf.entered_spend != 0) and all_traffic <= 0) as lost_groups
from (
select c_country as g1, c_day as g2, sumForEach(facts.n) as n, sum(facts.n_entered_spend) as entered_spend, sum(facts.n_reported_facts) as reported_facts, sum(facts.n_unreported_facts) as unreported_facts, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select country_id as c_country, day as c_day, [toInt64(sum(is_click)), toInt64(sum(is_unique))] as n, toInt64(0) as n_entered_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), sum(is_click), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, sum(is_click))) as n_unreported_facts, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p1:Array(UInt32)}
group by c_country, c_day, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select country_id as c_country, day as c_day, [0, 0, toInt64(sum(registrations)), toInt64(sum(first_deposits)), toInt64(sum(deposits_count)), toInt64(sum(deposits) * 10000), toInt64(sum(first_day_amount) * 10000), toInt64(sum(first_amount) * 10000), toInt64(sum(bets) * 10000), toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})), toInt64(countIf(bets > 0 and previous_bet_day < greatest({from1:Date}, day))), toInt64(sum(income) * 10000), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), count(), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, count())) as n_unreported_facts, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p2:Array(UInt32)}
group by c_country, c_day, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select country_id as c_country, day as c_day, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(countIf(sum != 0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p3:Array(UInt32)}
group by c_country, c_day
) as facts
group by g1, g2
limit {most_groups:UInt64} + 1
) as leaf
group by g1, g2 with rollup
having throwIf(count() > {most_groups:UInt64}, 'too many groups') = 0 and (sum(all_traffic) > 0 or level = 0)
)
group by is_total, g1
)
)
where place = 1 or place between {p4:UInt64} and {p5:UInt64}
order by place;
-- {"scope":[1,2],"from1":"2026-06-01","to1":"2026-06-30","p1":[7],"reporting_advertisers":[0,1],"reported_days":["2149-06-06","2026-06-30"],"p2":[7],"p3":[7],"most_groups":200000,"p4":2,"p5":6}

select items, tree, lost_groups from (
select tree, lost_groups, row_number() over (order by is_total desc, sort_key desc nulls last, g1 asc) as place, count() over () - 1 as items
from (
with n[1] as clicks, n[2] as unique_clicks, n[3] as registrations, n[4] as new_deposits, n[5] as deposits_count, n[6] as deposits_amount, n[7] as first_day_amount, n[8] as first_amount, n[9] as bets, n[12] as income, n[13] as player_spend, n[15] as entered_spend, n[16] as reported_facts, n[17] as unreported_facts, n[18] as bettors, n[19] as players, n[20] as rate_missing, n[21] as lost_spends
select level = 0 as is_total, g1, groupArray(tuple(level, g1, g2, n)) as tree, anyIf(if(unreported_facts > 0 and reported_facts = 0, null, (sign((toInt128(income))) * sign(toInt128(100)) * intDiv(2 * abs((toInt128(income))) + abs(toInt128(100)), nullIf(2 * abs(toInt128(100)), 0)))), level = 1) as sort_key,
  anyIf(lost_groups, level = 0) as lost_groups
from (
select g1, g2, toUInt8(2 - bitCount(grouping(g1, g2))) as level, arrayConcat(arrayResize(sumForEach(leaf.n), 14), [if(level = 0, sum(leaf.entered_spend), sumIf(leaf.entered_spend, all_traffic > 0)), sum(leaf.reported_facts), sum(leaf.unreported_facts), multiIf(level = 0, arrayResize(sumForEach(leaf.n), 14)[10], level = 1, arrayResize(sumForEach(leaf.n), 14)[10], arrayResize(sumForEach(leaf.n), 14)[11]), arrayResize(sumForEach(leaf.n), 14)[14], max(leaf.rate_missing), toInt64(countIf((leaf.entered_spend != 0) and all_traffic <= 0))]) as n, groupUniqArrayIf(1000)(tuple(leaf.g1, leaf.g2), (leaf.entered_spend != 0) and all_traffic <= 0) as lost_groups
from (
select c_partner as g1, c_day as g2, sumForEach(facts.n) as n, sum(facts.n_entered_spend) as entered_spend, sum(facts.n_reported_facts) as reported_facts, sum(facts.n_unreported_facts) as unreported_facts, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select partner_id as c_partner, day as c_day, [toInt64(sum(is_click)), toInt64(sum(is_unique))] as n, toInt64(0) as n_entered_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), sum(is_click), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, sum(is_click))) as n_unreported_facts, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p1:Array(UInt32)}
group by c_partner, c_day, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select partner_id as c_partner, day as c_day, [0, 0, toInt64(sum(registrations)), toInt64(sum(first_deposits)), toInt64(sum(deposits_count)), toInt64(sum(deposits) * 10000), toInt64(sum(first_day_amount) * 10000), toInt64(sum(first_amount) * 10000), toInt64(sum(bets) * 10000), toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})), toInt64(countIf(bets > 0 and previous_bet_day < greatest({from1:Date}, day))), toInt64(sum(income) * 10000), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), count(), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, count())) as n_unreported_facts, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p2:Array(UInt32)}
group by c_partner, c_day, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select partner_id as c_partner, day as c_day, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(countIf(sum != 0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p3:Array(UInt32)}
group by c_partner, c_day
) as facts
group by g1, g2
limit {most_groups:UInt64} + 1
) as leaf
group by g1, g2 with rollup
having throwIf(count() > {most_groups:UInt64}, 'too many groups') = 0 and (sum(all_traffic) > 0 or level = 0)
)
group by is_total, g1
)
)
where place = 1 or place between {p4:UInt64} and {p5:UInt64}
order by place;
-- {"scope":[1,2],"from1":"2026-06-01","to1":"2026-06-30","p1":[7],"reporting_advertisers":[0,1],"reported_days":["2149-06-06","2026-06-30"],"p2":[7],"p3":[7],"most_groups":200000,"p4":2,"p5":6}
