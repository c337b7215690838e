select items, tree, lost_groups from (
select tree, lost_groups, row_number() over (order by is_total desc, sort_key desc nulls last, g1 asc) as place, count() over () - 1 as items
from (
with n[1] as clicks, n[2] as unique_clicks, n[3] as registrations, n[4] as new_deposits, n[5] as deposits_count, n[6] as deposits_amount, n[7] as first_day_amount, n[8] as first_amount, n[9] as bets, n[10] as bettors, n[12] as income, n[13] as player_spend, n[15] as clicks_2, n[16] as unique_clicks_2, n[17] as registrations_2, n[18] as new_deposits_2, n[19] as deposits_count_2, n[20] as deposits_amount_2, n[21] as first_day_amount_2, n[22] as first_amount_2, n[23] as bets_2, n[25] as bettors_2, n[26] as income_2, n[27] as player_spend_2, n[29] as entered_spend, n[30] as entered_spend_2, n[31] as reported_facts, n[32] as unreported_facts, n[33] as reported_facts_2, n[34] as unreported_facts_2, n[35] as players, n[36] as rate_missing, n[37] as lost_spends
select level = 0 as is_total, g1, groupArray(tuple(level, g1, g2, n)) as tree, anyIf((toInt128(clicks)) * 100, level = 1) as sort_key,
  anyIf(lost_groups, level = 0) as lost_groups
from (
select g1, g2, toUInt8(2 - bitCount(grouping(g1, g2))) as level, arrayConcat(arrayResize(sumForEach(leaf.n), 14), arrayResize(sumForEach(leaf.n_2), 14), [if(level = 0, sum(leaf.entered_spend), toInt64(0)), if(level = 0, sum(leaf.entered_spend_2), toInt64(0)), sum(leaf.reported_facts), sum(leaf.unreported_facts), sum(leaf.reported_facts_2), sum(leaf.unreported_facts_2), arrayResize(sumForEach(leaf.n), 14)[14], max(leaf.rate_missing), toInt64(countIf((leaf.entered_spend != 0 or leaf.entered_spend_2 != 0)))]) as n, [] as lost_groups
from (
select c_actual_country as g1, c_traffic_source as g2, sumForEachIf(facts.n, in1) as n, sumForEachIf(facts.n, in2) as n_2, sumIf(facts.n_entered_spend, in1) as entered_spend, sumIf(facts.n_entered_spend, in2) as entered_spend_2, sumIf(facts.n_reported_facts, in1) as reported_facts, sumIf(facts.n_unreported_facts, in1) as unreported_facts, sumIf(facts.n_reported_facts, in2) as reported_facts_2, sumIf(facts.n_unreported_facts, in2) as unreported_facts_2, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select toUInt32(transform(toString(ip_country), {country_codes:Array(String)}, {country_ids:Array(UInt32)}, toUInt32(0))) as c_actual_country, traffic_source_id as c_traffic_source, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, [toInt64(sum(is_click)), toInt64(sum(is_unique))] as n, toInt64(0) as n_entered_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), sum(is_click), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, sum(is_click))) as n_unreported_facts, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_actual_country, c_traffic_source, in1, in2, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select actual_country_id as c_actual_country, traffic_source_id as c_traffic_source, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, [0, 0, toInt64(sum(registrations)), toInt64(sum(first_deposits)), toInt64(sum(deposits_count)), toInt64(sum(deposits) * 10000), toInt64(sum(first_day_amount) * 10000), toInt64(sum(first_amount) * 10000), toInt64(sum(bets) * 10000), toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})), toInt64(countIf(bets > 0 and previous_bet_day < {from2:Date})), toInt64(sum(income) * 10000), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(if(own_day <= transform(own_advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), count(), 0)) as n_reported_facts, toInt64(if(own_day <= transform(own_advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, count())) as n_unreported_facts, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from (
select a.player_id as player_id, a.registrations as registrations, a.first_deposits as first_deposits, a.qualified_players as qualified_players, a.deposits_count as deposits_count, a.deposits as deposits, a.first_amount as first_amount, a.first_day_amount as first_day_amount, a.bets as bets, a.income as income, a.cpa_spend as cpa_spend, a.rs_spend as rs_spend, a.cpa_original as cpa_original, a.cpa_currency_id as cpa_currency_id, a.income_original as income_original, a.income_currency_id as income_currency_id, a.rs_rate as rs_rate, a.rate_missing as rate_missing, a.registered_day as registered_day, a.first_deposit_day as first_deposit_day, a.qualification as qualification, a.outer_id as outer_id, a.click_id as click_id, k.day as day, k.offer_partner_id as offer_partner_id, k.offer_id as offer_id, k.partner_id as partner_id, k.advertiser_id as advertiser_id, k.landing_id as landing_id, k.stream_id as stream_id, k.traffic_source_id as traffic_source_id, k.country_id as country_id, k.site_id as site_id, k.sub_id as sub_id, k.promocode as promocode, k.media_id as media_id, k.country as actual_country_id, a.day as own_day, a.advertiser_id as own_advertiser_id, if(a.previous_day = toDate(0), toDate(0), toDate('2149-06-06')) as previous_day, if(a.previous_bet_day = toDate(0), toDate(0), toDate('2149-06-06')) as previous_bet_day, toUInt8(0) as is_deleted
from (select * from activity_fact final where is_deleted = 0 and click_id != toUUID('00000000-0000-0000-0000-000000000000') and partner_id in {scope:Array(UInt32)}) as a
inner join (
select id, day, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, country_id, site_id, sub_id, promocode, media_id, toUInt32(transform(toString(ip_country), {country_codes:Array(String)}, {country_ids:Array(UInt32)}, toUInt32(0))) as country
from click
where (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date}) and partner_id in {scope:Array(UInt32)} and id in (select click_id from activity_fact where click_id != toUUID('00000000-0000-0000-0000-000000000000'))
) as k on a.click_id = k.id
)
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_actual_country, c_traffic_source, in1, in2, own_day <= transform(own_advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select toUInt32(0) as c_actual_country, traffic_source_id as c_traffic_source, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_actual_country, c_traffic_source, in1, in2
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
where place = 1 or place between {p1:UInt64} and {p2:UInt64}
order by place;
-- {"scope":[3,5],"from1":"2026-06-01","to1":"2026-06-30","from2":"2026-05-02","to2":"2026-05-31","reporting_advertisers":[0,1,2],"reported_days":["2149-06-06","2026-06-20","2026-06-21"],"most_groups":200000,"p1":2,"p2":21,"country_codes":["UA","PL"],"country_ids":[1,2]}

-- nothing to ask

select c_country, c_partner, c_stream, c_day, sumIf(facts.n_entered_spend, in1) as spend, sumIf(facts.n_entered_spend, in2) as spend_2
from (
select toUInt32(0) as c_actual_country, traffic_source_id as c_traffic_source, country_id as c_country, partner_id as c_partner, stream_id as c_stream, day as c_day, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_actual_country, c_traffic_source, c_country, c_partner, c_stream, c_day, in1, in2
) as facts
group by c_country, c_partner, c_stream, c_day
having spend != 0 or spend_2 != 0
order by c_day desc, c_country, c_partner, c_stream
limit {p1:UInt32};
-- {"scope":[3,5],"from1":"2026-06-01","to1":"2026-06-30","from2":"2026-05-02","to2":"2026-05-31","p1":10000}
