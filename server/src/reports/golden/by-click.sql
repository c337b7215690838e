select items, tree, lost_groups from (
select tree, lost_groups, row_number() over (order by is_total desc, sort_key desc nulls last, g1 asc) as place, count() over () - 1 as items
from (
select level = 0 as is_total, g1, groupArray(tuple(level, g1, g2, clicks, unique_clicks, registrations, new_deposits, deposits_count, deposits_amount, first_day_amount, first_amount, bets, bettors, income, player_spend, entered_spend, clicks_2, unique_clicks_2, registrations_2, new_deposits_2, deposits_count_2, deposits_amount_2, first_day_amount_2, first_amount_2, bets_2, bettors_2, income_2, player_spend_2, entered_spend_2, players, rate_missing, lost_spends)) as tree, anyIf((toInt128(clicks)) * 100, level = 1) as sort_key,
  anyIf(lost_groups, level = 0) as lost_groups
from (
select g1, g2, toUInt8(2 - bitCount(grouping(g1, g2))) as level, sum(leaf.clicks) as clicks, sum(leaf.unique_clicks) as unique_clicks, sum(leaf.registrations) as registrations, sum(leaf.new_deposits) as new_deposits, sum(leaf.deposits_count) as deposits_count, sum(leaf.deposits_amount) as deposits_amount, sum(leaf.first_day_amount) as first_day_amount, sum(leaf.first_amount) as first_amount, sum(leaf.bets) as bets, sum(leaf.bettors_by0) as bettors, sum(leaf.income) as income, sum(leaf.player_spend) as player_spend, if(level = 0, sum(leaf.entered_spend), toInt64(0)) as entered_spend, sum(leaf.clicks_2) as clicks_2, sum(leaf.unique_clicks_2) as unique_clicks_2, sum(leaf.registrations_2) as registrations_2, sum(leaf.new_deposits_2) as new_deposits_2, sum(leaf.deposits_count_2) as deposits_count_2, sum(leaf.deposits_amount_2) as deposits_amount_2, sum(leaf.first_day_amount_2) as first_day_amount_2, sum(leaf.first_amount_2) as first_amount_2, sum(leaf.bets_2) as bets_2, sum(leaf.bettors_by0_2) as bettors_2, sum(leaf.income_2) as income_2, sum(leaf.player_spend_2) as player_spend_2, if(level = 0, sum(leaf.entered_spend_2), toInt64(0)) as entered_spend_2, sum(leaf.players) as players, max(leaf.rate_missing) as rate_missing, toInt64(countIf((leaf.entered_spend != 0 or leaf.entered_spend_2 != 0))) as lost_spends, [] as lost_groups
from (
select c_actual_country as g1, c_traffic_source as g2, sumIf(facts.n_clicks, in1) as clicks, sumIf(facts.n_unique_clicks, in1) as unique_clicks, sumIf(facts.n_registrations, in1) as registrations, sumIf(facts.n_new_deposits, in1) as new_deposits, sumIf(facts.n_deposits_count, in1) as deposits_count, sumIf(facts.n_deposits_amount, in1) as deposits_amount, sumIf(facts.n_first_day_amount, in1) as first_day_amount, sumIf(facts.n_first_amount, in1) as first_amount, sumIf(facts.n_bets, in1) as bets, sumIf(facts.n_bettors_by0, in1) as bettors_by0, sumIf(facts.n_income, in1) as income, sumIf(facts.n_player_spend, in1) as player_spend, sumIf(facts.n_entered_spend, in1) as entered_spend, sumIf(facts.n_clicks, in2) as clicks_2, sumIf(facts.n_unique_clicks, in2) as unique_clicks_2, sumIf(facts.n_registrations, in2) as registrations_2, sumIf(facts.n_new_deposits, in2) as new_deposits_2, sumIf(facts.n_deposits_count, in2) as deposits_count_2, sumIf(facts.n_deposits_amount, in2) as deposits_amount_2, sumIf(facts.n_first_day_amount, in2) as first_day_amount_2, sumIf(facts.n_first_amount, in2) as first_amount_2, sumIf(facts.n_bets, in2) as bets_2, sumIf(facts.n_bettors_by0_2, in2) as bettors_by0_2, sumIf(facts.n_income, in2) as income_2, sumIf(facts.n_player_spend, in2) as player_spend_2, sumIf(facts.n_entered_spend, in2) as entered_spend_2, sumIf(facts.n_players, in1) as players, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select toUInt32(transform(toString(ip_country), {country_codes:Array(String)}, {country_ids:Array(UInt32)}, toUInt32(0))) as c_actual_country, traffic_source_id as c_traffic_source, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, toInt64(sum(is_click)) as n_clicks, toInt64(sum(is_unique)) as n_unique_clicks, toInt64(0) as n_registrations, toInt64(0) as n_new_deposits, toInt64(0) as n_deposits_count, toInt64(0) as n_deposits_amount, toInt64(0) as n_first_day_amount, toInt64(0) as n_first_amount, toInt64(0) as n_bets, toInt64(0) as n_bettors_by0, toInt64(0) as n_bettors_by0_2, toInt64(0) as n_income, toInt64(0) as n_player_spend, toInt64(0) as n_entered_spend, toInt64(0) as n_players, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_actual_country, c_traffic_source, in1, in2
union all
select actual_country_id as c_actual_country, traffic_source_id as c_traffic_source, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, toInt64(0) as n_clicks, toInt64(0) as n_unique_clicks, toInt64(sum(registrations)) as n_registrations, toInt64(sum(first_deposits)) as n_new_deposits, toInt64(sum(deposits_count)) as n_deposits_count, toInt64(sum(deposits) * 10000) as n_deposits_amount, toInt64(sum(first_day_amount) * 10000) as n_first_day_amount, toInt64(sum(first_amount) * 10000) as n_first_amount, toInt64(sum(bets) * 10000) as n_bets, toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})) as n_bettors_by0, toInt64(countIf(bets > 0 and previous_bet_day < {from2:Date})) as n_bettors_by0_2, toInt64(sum(income) * 10000) as n_income, toInt64(sum(cpa_spend + rs_spend) * 10000) as n_player_spend, toInt64(0) as n_entered_spend, toInt64(countIf(previous_day < {from1:Date})) as n_players, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from (
select a.player_id as player_id, a.registrations as registrations, a.first_deposits as first_deposits, a.qualified_players as qualified_players, a.deposits_count as deposits_count, a.deposits as deposits, a.first_amount as first_amount, a.first_day_amount as first_day_amount, a.bets as bets, a.income as income, a.cpa_spend as cpa_spend, a.rs_spend as rs_spend, a.rate_missing as rate_missing, a.registered_day as registered_day, a.first_deposit_day as first_deposit_day, a.qualification as qualification, a.outer_id as outer_id, a.click_id as click_id, k.day as day, k.offer_partner_id as offer_partner_id, k.offer_id as offer_id, k.partner_id as partner_id, k.advertiser_id as advertiser_id, k.landing_id as landing_id, k.stream_id as stream_id, k.traffic_source_id as traffic_source_id, k.country_id as country_id, k.site_id as site_id, k.sub_id as sub_id, k.promocode as promocode, k.media_id as media_id, k.country as actual_country_id, if(a.previous_day = toDate(0), toDate(0), toDate('2149-06-06')) as previous_day, if(a.previous_bet_day = toDate(0), toDate(0), toDate('2149-06-06')) as previous_bet_day, toUInt8(0) as is_deleted
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
group by c_actual_country, c_traffic_source, in1, in2
union all
select toUInt32(0) as c_actual_country, traffic_source_id as c_traffic_source, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, toInt64(0) as n_clicks, toInt64(0) as n_unique_clicks, toInt64(0) as n_registrations, toInt64(0) as n_new_deposits, toInt64(0) as n_deposits_count, toInt64(0) as n_deposits_amount, toInt64(0) as n_first_day_amount, toInt64(0) as n_first_amount, toInt64(0) as n_bets, toInt64(0) as n_bettors_by0, toInt64(0) as n_bettors_by0_2, toInt64(0) as n_income, toInt64(0) as n_player_spend, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(0) as n_players, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_actual_country, c_traffic_source, in1, in2
) as facts
group by g1, g2
) as leaf
group by g1, g2 with rollup
having sum(all_traffic) > 0 or level = 0
)
group by is_total, g1
)
)
where place = 1 or place between {p1:UInt64} and {p2:UInt64}
order by place;
-- {"scope":[3,5],"from1":"2026-06-01","to1":"2026-06-30","from2":"2026-05-02","to2":"2026-05-31","p1":2,"p2":21,"country_codes":["UA","PL"],"country_ids":[1,2]}

-- nothing to ask

select c_country, c_partner, c_stream, c_day, sumIf(facts.n_entered_spend, in1) as spend, sumIf(facts.n_entered_spend, in2) as spend_2
from (
select toUInt32(0) as c_actual_country, traffic_source_id as c_traffic_source, country_id as c_country, partner_id as c_partner, stream_id as c_stream, day as c_day, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, toInt64(0) as n_clicks, toInt64(0) as n_unique_clicks, toInt64(0) as n_registrations, toInt64(0) as n_new_deposits, toInt64(0) as n_deposits_count, toInt64(0) as n_deposits_amount, toInt64(0) as n_first_day_amount, toInt64(0) as n_first_amount, toInt64(0) as n_bets, toInt64(0) as n_bettors_by0, toInt64(0) as n_bettors_by0_2, toInt64(0) as n_income, toInt64(0) as n_player_spend, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(0) as n_players, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
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
