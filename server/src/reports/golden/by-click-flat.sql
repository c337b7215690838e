select items, [line] as tree, if(place = 1, lost_groups, []) as lost_groups from (
with n[1] as clicks, n[2] as unique_clicks, n[3] as registrations, n[4] as new_deposits, n[5] as deposits_count, n[6] as deposits_amount, n[7] as first_day_amount, n[8] as first_amount, n[9] as bets, n[12] as income, n[13] as player_spend, n[15] as entered_spend, n[16] as reported_facts, n[17] as unreported_facts, n[18] as bettors, n[19] as players, n[20] as rate_missing, n[21] as lost_spends
select tuple(level, g1, g2, g3, g4, n) as line, lost_groups, row_number() over (order by level = 0 desc, if(unreported_facts > 0 and reported_facts = 0, null, (sign((toInt128(income) - toInt128(player_spend) - toInt128(entered_spend)) * 10000) * sign((toInt128(player_spend) + toInt128(entered_spend))) * intDiv(2 * abs((toInt128(income) - toInt128(player_spend) - toInt128(entered_spend)) * 10000) + abs((toInt128(player_spend) + toInt128(entered_spend))), nullIf(2 * abs((toInt128(player_spend) + toInt128(entered_spend))), 0)))) desc nulls last, transform(g1, {p1:Array(UInt32)}, {p2:Array(UInt32)}, toUInt32(0)) asc, g1 asc, g2 asc, transform(g3, {p3:Array(UInt32)}, {p4:Array(UInt32)}, toUInt32(0)) asc, g3 asc, lowerUTF8(toString(g4)) asc, g4 asc) as place, count() over () - 1 as items
from (
select g1, g2, g3, g4, toUInt8(4 - bitCount(grouping(g1, g2, g3, g4))) as level, arrayConcat(arrayResize(sumForEach(leaf.n), 14), [if(level = 0, sum(leaf.entered_spend), sumIf((leaf.entered_spend - leaf.placeless_spend), all_traffic > 0)), sum(leaf.reported_facts), sum(leaf.unreported_facts), multiIf(level = 0, arrayResize(sumForEach(leaf.n), 14)[10], level = 1, arrayResize(sumForEach(leaf.n), 14)[10], level = 2, arrayResize(sumForEach(leaf.n), 14)[11], level = 3, arrayResize(sumForEach(leaf.n), 14)[11], arrayResize(sumForEach(leaf.n), 14)[11]), arrayResize(sumForEach(leaf.n), 14)[14], max(leaf.rate_missing), toInt64(countIf((((leaf.entered_spend - leaf.placeless_spend) != 0) and all_traffic <= 0) or (leaf.placeless_spend != 0)))]) as n, groupUniqArrayIf(1000)(tuple(leaf.g1, leaf.g2, leaf.g3, leaf.g4), ((leaf.entered_spend - leaf.placeless_spend) != 0) and all_traffic <= 0) as lost_groups
from (
select c_offer as g1, c_day as g2, m_partner.main_manager_id as g3, c_sub as g4, sumForEach(facts.n) as n, sum(facts.n_entered_spend) as entered_spend, sum(facts.n_placeless_spend) as placeless_spend, sum(facts.n_reported_facts) as reported_facts, sum(facts.n_unreported_facts) as unreported_facts, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select offer_id as c_offer, day as c_day, partner_id as c_partner, sub_id as c_sub, [toInt64(sum(is_click)), toInt64(sum(is_unique))] as n, toInt64(0) as n_entered_spend, toInt64(0) as n_placeless_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), sum(is_click), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, sum(is_click))) as n_unreported_facts, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
group by c_offer, c_day, c_partner, c_sub, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select offer_id as c_offer, day as c_day, partner_id as c_partner, sub_id as c_sub, [0, 0, toInt64(sum(registrations)), toInt64(sum(first_deposits)), toInt64(sum(deposits_count)), toInt64(sum(deposits) * 10000), toInt64(sum(first_day_amount) * 10000), toInt64(sum(first_amount) * 10000), toInt64(sum(bets) * 10000), toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})), toInt64(countIf(bets > 0 and previous_bet_day < greatest({from1:Date}, day))), toInt64(sum(income) * 10000), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(0) as n_placeless_spend, toInt64(if(own_day <= transform(own_advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), count(), 0)) as n_reported_facts, toInt64(if(own_day <= transform(own_advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, count())) as n_unreported_facts, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from (
select a.player_id as player_id, a.registrations as registrations, a.first_deposits as first_deposits, a.qualified_players as qualified_players, a.deposits_count as deposits_count, a.deposits as deposits, a.first_amount as first_amount, a.first_day_amount as first_day_amount, a.bets as bets, a.income as income, a.cpa_spend as cpa_spend, a.rs_spend as rs_spend, a.cpa_original as cpa_original, a.cpa_currency_id as cpa_currency_id, a.income_original as income_original, a.income_currency_id as income_currency_id, a.rs_rate as rs_rate, a.rate_missing as rate_missing, a.registered_day as registered_day, a.first_deposit_day as first_deposit_day, a.qualification as qualification, a.outer_id as outer_id, a.click_id as click_id, k.day as day, k.offer_partner_id as offer_partner_id, k.offer_id as offer_id, k.partner_id as partner_id, k.advertiser_id as advertiser_id, k.landing_id as landing_id, k.stream_id as stream_id, k.traffic_source_id as traffic_source_id, k.country_id as country_id, k.site_id as site_id, k.sub_id as sub_id, k.promocode as promocode, k.media_id as media_id, k.country as actual_country_id, a.day as own_day, a.advertiser_id as own_advertiser_id, if(a.previous_day = toDate(0), toDate(0), toDate('2149-06-06')) as previous_day, if(a.previous_bet_day = toDate(0), toDate(0), toDate('2149-06-06')) as previous_bet_day, toUInt8(0) as is_deleted
from (select * from activity_fact final where is_deleted = 0 and click_id != toUUID('00000000-0000-0000-0000-000000000000') and partner_id in {scope:Array(UInt32)}) as a
inner join (
select id, day, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, country_id, site_id, sub_id, promocode, media_id, toUInt32(transform(toString(ip_country), {country_codes:Array(String)}, {country_ids:Array(UInt32)}, toUInt32(0))) as country
from click
where (day between {from1:Date} and {to1:Date}) and partner_id in {scope:Array(UInt32)} and id in (select click_id from activity_fact where click_id != toUUID('00000000-0000-0000-0000-000000000000'))
) as k on a.click_id = k.id
)
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
group by c_offer, c_day, c_partner, c_sub, own_day <= transform(own_advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select offer_id as c_offer, day as c_day, partner_id as c_partner, sub_id as c_sub, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(sumIf(sum, offer_partner_id = toUInt32(0)) * 10000) as n_placeless_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
group by c_offer, c_day, c_partner, c_sub
) as facts
left any join (select * from partner_map final where is_deleted = 0) as m_partner on facts.c_partner = m_partner.partner_id
group by g1, g2, g3, g4
limit {most_groups:UInt64} + 1
) as leaf
group by g1, g2, g3, g4 with rollup
having throwIf(count() > {most_groups:UInt64}, 'too many groups') = 0 and (sum(all_traffic) > 0 or level = 0)
)
where level = 0 or (level = 4)
)
where place = 1 or place between {p5:UInt64} and {p6:UInt64}
order by place;
-- {"scope":[3,5],"from1":"2026-06-01","to1":"2026-06-30","reporting_advertisers":[0,1,2],"reported_days":["2149-06-06","2026-06-20","2026-06-21"],"most_groups":200000,"p1":[3,1,2],"p2":[1,2,3],"p3":[3,1,2],"p4":[1,2,3],"p5":2,"p6":21,"country_codes":["UA","PL"],"country_ids":[1,2]}

-- nothing to ask

select c_country, c_partner, c_stream, c_day, sum(facts.n_entered_spend) as spend
from (
select offer_id as c_offer, day as c_day, partner_id as c_partner, sub_id as c_sub, country_id as c_country, stream_id as c_stream, offer_partner_id as c_offer_partner, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(sumIf(sum, offer_partner_id = toUInt32(0)) * 10000) as n_placeless_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
group by c_offer, c_day, c_partner, c_sub, c_country, c_stream, c_offer_partner
) as facts
left any join (select * from partner_map final where is_deleted = 0) as m_partner on facts.c_partner = m_partner.partner_id
where ((c_offer_partner = toUInt32(0)) or tuple(c_offer, c_day, m_partner.main_manager_id, c_sub) not in (
select tuple(g1, g2, g3, g4) from (
select c_offer as g1, c_day as g2, m_partner.main_manager_id as g3, c_sub as g4, sum(facts.n_traffic) as all_traffic from (
select offer_id as c_offer, day as c_day, partner_id as c_partner, sub_id as c_sub, emptyArrayInt64() as n, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
group by c_offer, c_day, c_partner, c_sub
union all
select offer_id as c_offer, day as c_day, partner_id as c_partner, sub_id as c_sub, [toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from (
select a.player_id as player_id, a.registrations as registrations, a.first_deposits as first_deposits, a.qualified_players as qualified_players, a.deposits_count as deposits_count, a.deposits as deposits, a.first_amount as first_amount, a.first_day_amount as first_day_amount, a.bets as bets, a.income as income, a.cpa_spend as cpa_spend, a.rs_spend as rs_spend, a.cpa_original as cpa_original, a.cpa_currency_id as cpa_currency_id, a.income_original as income_original, a.income_currency_id as income_currency_id, a.rs_rate as rs_rate, a.rate_missing as rate_missing, a.registered_day as registered_day, a.first_deposit_day as first_deposit_day, a.qualification as qualification, a.outer_id as outer_id, a.click_id as click_id, k.day as day, k.offer_partner_id as offer_partner_id, k.offer_id as offer_id, k.partner_id as partner_id, k.advertiser_id as advertiser_id, k.landing_id as landing_id, k.stream_id as stream_id, k.traffic_source_id as traffic_source_id, k.country_id as country_id, k.site_id as site_id, k.sub_id as sub_id, k.promocode as promocode, k.media_id as media_id, k.country as actual_country_id, a.day as own_day, a.advertiser_id as own_advertiser_id, if(a.previous_day = toDate(0), toDate(0), toDate('2149-06-06')) as previous_day, if(a.previous_bet_day = toDate(0), toDate(0), toDate('2149-06-06')) as previous_bet_day, toUInt8(0) as is_deleted
from (select * from activity_fact final where is_deleted = 0 and click_id != toUUID('00000000-0000-0000-0000-000000000000') and partner_id in {scope:Array(UInt32)}) as a
inner join (
select id, day, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, country_id, site_id, sub_id, promocode, media_id, toUInt32(transform(toString(ip_country), {country_codes:Array(String)}, {country_ids:Array(UInt32)}, toUInt32(0))) as country
from click
where (day between {from1:Date} and {to1:Date}) and partner_id in {scope:Array(UInt32)} and id in (select click_id from activity_fact where click_id != toUUID('00000000-0000-0000-0000-000000000000'))
) as k on a.click_id = k.id
)
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
group by c_offer, c_day, c_partner, c_sub
) as facts
left any join (select * from partner_map final where is_deleted = 0) as m_partner on facts.c_partner = m_partner.partner_id
group by g1, g2, g3, g4 having all_traffic > 0
)))
group by c_country, c_partner, c_stream, c_day
having spend != 0
order by c_day desc, c_country, c_partner, c_stream
limit {p1:UInt32};
-- {"scope":[3,5],"from1":"2026-06-01","to1":"2026-06-30","p1":10000,"country_codes":["UA","PL"],"country_ids":[1,2]}
