select items, tree, lost_groups from (
select tree, lost_groups, row_number() over (order by is_total desc, sort_key desc nulls last, g1 asc) as place, count() over () - 1 as items
from (
with n[1] as clicks, n[2] as unique_clicks, n[3] as registrations, n[4] as new_deposits, n[5] as deposits_count, n[6] as deposits_amount, n[7] as first_day_amount, n[8] as first_amount, n[9] as bets, n[10] as bettors, n[11] as income, n[12] as player_spend, n[14] as entered_spend, n[15] as reported_facts, n[16] as unreported_facts, n[17] as players, n[18] as rate_missing, n[19] as lost_spends
select level = 0 as is_total, g1, groupArray(tuple(level, g1, g2, n)) as tree, anyIf((toInt128(clicks)) * 100, level = 1) as sort_key,
  anyIf(lost_groups, level = 0) as lost_groups
from (
select g1, g2, toUInt8(2 - bitCount(grouping(g1, g2))) as level, arrayConcat(arrayResize(sumForEach(leaf.n), 13), [if(level = 0, sum(leaf.entered_spend), sumIf((leaf.entered_spend - leaf.placeless_spend), all_traffic > 0)), sum(leaf.reported_facts), sum(leaf.unreported_facts), arrayResize(sumForEach(leaf.n), 13)[13], max(leaf.rate_missing), toInt64(countIf((((leaf.entered_spend - leaf.placeless_spend) != 0) and all_traffic <= 0) or (leaf.placeless_spend != 0)))]) as n, groupUniqArrayIf(1000)(tuple(leaf.g1, leaf.g2), ((leaf.entered_spend - leaf.placeless_spend) != 0) and all_traffic <= 0) as lost_groups
from (
select c_offer as g1, c_traffic_source as g2, sumForEach(facts.n) as n, sum(facts.n_entered_spend) as entered_spend, sum(facts.n_placeless_spend) as placeless_spend, sum(facts.n_reported_facts) as reported_facts, sum(facts.n_unreported_facts) as unreported_facts, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select offer_id as c_offer, traffic_source_id as c_traffic_source, [toInt64(sum(is_click)), toInt64(sum(is_unique))] as n, toInt64(0) as n_entered_spend, toInt64(0) as n_placeless_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), sum(is_click), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, sum(is_click))) as n_unreported_facts, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
group by c_offer, c_traffic_source, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select offer_id as c_offer, traffic_source_id as c_traffic_source, [0, 0, toInt64(sum(registrations)), toInt64(sum(first_deposits)), toInt64(sum(deposits_count)), toInt64(sum(deposits) * 10000), toInt64(sum(first_day_amount) * 10000), toInt64(sum(first_amount) * 10000), toInt64(sum(bets) * 10000), toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})), toInt64(sum(income) * 10000), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(0) as n_placeless_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), count(), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, count())) as n_unreported_facts, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
group by c_offer, c_traffic_source, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select offer_id as c_offer, traffic_source_id as c_traffic_source, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(sumIf(sum, offer_partner_id = toUInt32(0)) * 10000) as n_placeless_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
group by c_offer, c_traffic_source
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
-- {"scope":[3,5],"from1":"2026-06-01","to1":"2026-06-30","reporting_advertisers":[0,1,2],"reported_days":["2149-06-06","2026-06-20","2026-06-21"],"most_groups":200000,"p1":2,"p2":21}

-- nothing to ask

select c_country, c_partner, c_stream, c_day, sum(facts.n_entered_spend) as spend
from (
select offer_id as c_offer, traffic_source_id as c_traffic_source, country_id as c_country, partner_id as c_partner, stream_id as c_stream, day as c_day, offer_partner_id as c_offer_partner, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(sumIf(sum, offer_partner_id = toUInt32(0)) * 10000) as n_placeless_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
group by c_offer, c_traffic_source, c_country, c_partner, c_stream, c_day, c_offer_partner
) as facts
where ((c_offer_partner = toUInt32(0)) or tuple(c_offer, c_traffic_source) not in (
select tuple(g1, g2) from (
select c_offer as g1, c_traffic_source as g2, sum(facts.n_traffic) as all_traffic from (
select offer_id as c_offer, traffic_source_id as c_traffic_source, emptyArrayInt64() as n, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
group by c_offer, c_traffic_source
union all
select offer_id as c_offer, traffic_source_id as c_traffic_source, [toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
group by c_offer, c_traffic_source
) as facts
group by g1, g2 having all_traffic > 0
)))
group by c_country, c_partner, c_stream, c_day
having spend != 0
order by c_day desc, c_country, c_partner, c_stream
limit {p1:UInt32};
-- {"scope":[3,5],"from1":"2026-06-01","to1":"2026-06-30","p1":10000}
