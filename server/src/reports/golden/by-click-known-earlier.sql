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
  and created_at <= {known_at:DateTime64(3)}
  and day between {from1:Date} and {to1:Date}
group by c_offer, c_traffic_source, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select offer_id as c_offer, traffic_source_id as c_traffic_source, [0, 0, toInt64(sum(registrations)), toInt64(sum(first_deposits)), toInt64(sum(deposits_count)), toInt64(sum(deposits) * 10000), toInt64(sum(first_day_amount) * 10000), toInt64(sum(first_amount) * 10000), toInt64(sum(bets) * 10000), toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})), toInt64(sum(income) * 10000), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(0) as n_placeless_spend, toInt64(if(own_day <= transform(own_advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), count(), 0)) as n_reported_facts, toInt64(if(own_day <= transform(own_advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, count())) as n_unreported_facts, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from (
select a.player_id as player_id, a.registrations as registrations, a.first_deposits as first_deposits, a.qualified_players as qualified_players, a.deposits_count as deposits_count, a.deposits as deposits, a.first_amount as first_amount, a.first_day_amount as first_day_amount, a.bets as bets, a.income as income, a.cpa_spend as cpa_spend, a.rs_spend as rs_spend, a.cpa_original as cpa_original, a.cpa_currency_id as cpa_currency_id, a.income_original as income_original, a.income_currency_id as income_currency_id, a.rs_rate as rs_rate, a.rate_missing as rate_missing, a.registered_day as registered_day, a.first_deposit_day as first_deposit_day, a.qualification as qualification, a.outer_id as outer_id, a.click_id as click_id, k.day as day, k.offer_partner_id as offer_partner_id, k.offer_id as offer_id, k.partner_id as partner_id, k.advertiser_id as advertiser_id, k.landing_id as landing_id, k.stream_id as stream_id, k.traffic_source_id as traffic_source_id, k.country_id as country_id, k.site_id as site_id, k.sub_id as sub_id, k.promocode as promocode, k.media_id as media_id, k.country as actual_country_id, a.day as own_day, a.advertiser_id as own_advertiser_id, if(a.previous_day = toDate(0), toDate(0), toDate('2149-06-06')) as previous_day, if(a.previous_bet_day = toDate(0), toDate(0), toDate('2149-06-06')) as previous_bet_day, toUInt8(0) as is_deleted
from (select * from (
select day, player_id, source, registrations, first_deposits, qualified_players, deposits_count, deposits, first_amount, first_day_amount, bets, income, cpa_spend, rs_spend, rate_missing, previous_day, previous_bet_day, cpa_original, cpa_currency_id, income_original, income_currency_id, rs_rate, rs_original, registered_day, first_deposit_day, qualified_day, qualification, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, country_id, actual_country_id, site_id, sub_id, promocode, media_id, ip_country, geo_country, outer_id, click_id, click_day, version, is_deleted from activity_fact final where day between {from1_:Date} and {to1_:Date} and (player_id, day) not in (select player_id, day from activity_fact_log where day between {from1_:Date} and {to1_:Date} and known_at > {known_at:DateTime64(3)})
union all
select day, player_id, source, registrations, first_deposits, qualified_players, deposits_count, deposits, first_amount, first_day_amount, bets, income, cpa_spend, rs_spend, rate_missing, previous_day, previous_bet_day, cpa_original, cpa_currency_id, income_original, income_currency_id, rs_rate, rs_original, registered_day, first_deposit_day, qualified_day, qualification, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, country_id, actual_country_id, site_id, sub_id, promocode, media_id, ip_country, geo_country, outer_id, click_id, click_day, version, is_deleted from (
select day, player_id, source, registrations, first_deposits, qualified_players, deposits_count, deposits, first_amount, first_day_amount, bets, income, cpa_spend, rs_spend, rate_missing, previous_day, previous_bet_day, cpa_original, cpa_currency_id, income_original, income_currency_id, rs_rate, rs_original, registered_day, first_deposit_day, qualified_day, qualification, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, country_id, actual_country_id, site_id, sub_id, promocode, media_id, ip_country, geo_country, outer_id, click_id, click_day, version, is_deleted, minIf(version, known_at > {known_at:DateTime64(3)}) over (partition by player_id, day) as next_version
from activity_fact_log where day between {from1_:Date} and {to1_:Date} and (player_id, day) in (select player_id, day from activity_fact_log where day between {from1_:Date} and {to1_:Date} and known_at > {known_at:DateTime64(3)})
) where version < next_version order by version desc limit 1 by player_id, day
) where is_deleted = 0 and click_id != toUUID('00000000-0000-0000-0000-000000000000') and partner_id in {scope:Array(UInt32)}) as a
inner join (
select id, day, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, country_id, site_id, sub_id, promocode, media_id, toUInt32(transform(toString(ip_country), {country_codes:Array(String)}, {country_ids:Array(UInt32)}, toUInt32(0))) as country
from click
where (day between {from1:Date} and {to1:Date}) and partner_id in {scope:Array(UInt32)} and created_at <= {known_at:DateTime64(3)} and id in (select click_id from activity_fact where click_id != toUUID('00000000-0000-0000-0000-000000000000'))
) as k on a.click_id = k.id
)
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
group by c_offer, c_traffic_source, own_day <= transform(own_advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select offer_id as c_offer, traffic_source_id as c_traffic_source, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(sumIf(sum, offer_partner_id = toUInt32(0)) * 10000) as n_placeless_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
from (
select spend_id, day, offer_partner_id, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id, country_id, site_id, sub_id, media_id, currency_id, base_original, base, sum, rate_missing, is_agency, agency_rate, sum_original, version, is_deleted from spend_fact final where day between {from1:Date} and {to1:Date} and spend_id not in (select spend_id from spend_fact_log where known_at > {known_at:DateTime64(3)})
union all
select spend_id, day, offer_partner_id, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id, country_id, site_id, sub_id, media_id, currency_id, base_original, base, sum, rate_missing, is_agency, agency_rate, sum_original, version, is_deleted from (
select spend_id, day, offer_partner_id, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id, country_id, site_id, sub_id, media_id, currency_id, base_original, base, sum, rate_missing, is_agency, agency_rate, sum_original, version, is_deleted, minIf(version, known_at > {known_at:DateTime64(3)}) over (partition by spend_id) as next_version
from spend_fact_log where spend_id in (select spend_id from spend_fact_log where known_at > {known_at:DateTime64(3)})
) where version < next_version order by version desc limit 1 by spend_id
)
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
-- {"scope":[3,5],"known_at":"2026-06-20 10:00:00.000","from1":"2026-06-01","to1":"2026-06-30","reporting_advertisers":[0,1,2],"reported_days":["2149-06-06","2026-06-20","2026-06-21"],"from1_":"1970-01-02","to1_":"2149-06-06","most_groups":200000,"p1":2,"p2":21,"country_codes":["UA","PL"],"country_ids":[1,2]}

-- nothing to ask

select c_country, c_partner, c_stream, c_day, sum(facts.n_entered_spend) as spend
from (
select offer_id as c_offer, traffic_source_id as c_traffic_source, country_id as c_country, partner_id as c_partner, stream_id as c_stream, day as c_day, offer_partner_id as c_offer_partner, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(sumIf(sum, offer_partner_id = toUInt32(0)) * 10000) as n_placeless_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
from (
select spend_id, day, offer_partner_id, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id, country_id, site_id, sub_id, media_id, currency_id, base_original, base, sum, rate_missing, is_agency, agency_rate, sum_original, version, is_deleted from spend_fact final where day between {from1:Date} and {to1:Date} and spend_id not in (select spend_id from spend_fact_log where known_at > {known_at:DateTime64(3)})
union all
select spend_id, day, offer_partner_id, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id, country_id, site_id, sub_id, media_id, currency_id, base_original, base, sum, rate_missing, is_agency, agency_rate, sum_original, version, is_deleted from (
select spend_id, day, offer_partner_id, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id, country_id, site_id, sub_id, media_id, currency_id, base_original, base, sum, rate_missing, is_agency, agency_rate, sum_original, version, is_deleted, minIf(version, known_at > {known_at:DateTime64(3)}) over (partition by spend_id) as next_version
from spend_fact_log where spend_id in (select spend_id from spend_fact_log where known_at > {known_at:DateTime64(3)})
) where version < next_version order by version desc limit 1 by spend_id
)
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
  and created_at <= {known_at:DateTime64(3)}
  and day between {from1:Date} and {to1:Date}
group by c_offer, c_traffic_source
union all
select offer_id as c_offer, traffic_source_id as c_traffic_source, [toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from (
select a.player_id as player_id, a.registrations as registrations, a.first_deposits as first_deposits, a.qualified_players as qualified_players, a.deposits_count as deposits_count, a.deposits as deposits, a.first_amount as first_amount, a.first_day_amount as first_day_amount, a.bets as bets, a.income as income, a.cpa_spend as cpa_spend, a.rs_spend as rs_spend, a.cpa_original as cpa_original, a.cpa_currency_id as cpa_currency_id, a.income_original as income_original, a.income_currency_id as income_currency_id, a.rs_rate as rs_rate, a.rate_missing as rate_missing, a.registered_day as registered_day, a.first_deposit_day as first_deposit_day, a.qualification as qualification, a.outer_id as outer_id, a.click_id as click_id, k.day as day, k.offer_partner_id as offer_partner_id, k.offer_id as offer_id, k.partner_id as partner_id, k.advertiser_id as advertiser_id, k.landing_id as landing_id, k.stream_id as stream_id, k.traffic_source_id as traffic_source_id, k.country_id as country_id, k.site_id as site_id, k.sub_id as sub_id, k.promocode as promocode, k.media_id as media_id, k.country as actual_country_id, a.day as own_day, a.advertiser_id as own_advertiser_id, if(a.previous_day = toDate(0), toDate(0), toDate('2149-06-06')) as previous_day, if(a.previous_bet_day = toDate(0), toDate(0), toDate('2149-06-06')) as previous_bet_day, toUInt8(0) as is_deleted
from (select * from (
select day, player_id, source, registrations, first_deposits, qualified_players, deposits_count, deposits, first_amount, first_day_amount, bets, income, cpa_spend, rs_spend, rate_missing, previous_day, previous_bet_day, cpa_original, cpa_currency_id, income_original, income_currency_id, rs_rate, rs_original, registered_day, first_deposit_day, qualified_day, qualification, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, country_id, actual_country_id, site_id, sub_id, promocode, media_id, ip_country, geo_country, outer_id, click_id, click_day, version, is_deleted from activity_fact final where day between {from1_:Date} and {to1_:Date} and (player_id, day) not in (select player_id, day from activity_fact_log where day between {from1_:Date} and {to1_:Date} and known_at > {known_at:DateTime64(3)})
union all
select day, player_id, source, registrations, first_deposits, qualified_players, deposits_count, deposits, first_amount, first_day_amount, bets, income, cpa_spend, rs_spend, rate_missing, previous_day, previous_bet_day, cpa_original, cpa_currency_id, income_original, income_currency_id, rs_rate, rs_original, registered_day, first_deposit_day, qualified_day, qualification, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, country_id, actual_country_id, site_id, sub_id, promocode, media_id, ip_country, geo_country, outer_id, click_id, click_day, version, is_deleted from (
select day, player_id, source, registrations, first_deposits, qualified_players, deposits_count, deposits, first_amount, first_day_amount, bets, income, cpa_spend, rs_spend, rate_missing, previous_day, previous_bet_day, cpa_original, cpa_currency_id, income_original, income_currency_id, rs_rate, rs_original, registered_day, first_deposit_day, qualified_day, qualification, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, country_id, actual_country_id, site_id, sub_id, promocode, media_id, ip_country, geo_country, outer_id, click_id, click_day, version, is_deleted, minIf(version, known_at > {known_at:DateTime64(3)}) over (partition by player_id, day) as next_version
from activity_fact_log where day between {from1_:Date} and {to1_:Date} and (player_id, day) in (select player_id, day from activity_fact_log where day between {from1_:Date} and {to1_:Date} and known_at > {known_at:DateTime64(3)})
) where version < next_version order by version desc limit 1 by player_id, day
) where is_deleted = 0 and click_id != toUUID('00000000-0000-0000-0000-000000000000') and partner_id in {scope:Array(UInt32)}) as a
inner join (
select id, day, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, country_id, site_id, sub_id, promocode, media_id, toUInt32(transform(toString(ip_country), {country_codes:Array(String)}, {country_ids:Array(UInt32)}, toUInt32(0))) as country
from click
where (day between {from1:Date} and {to1:Date}) and partner_id in {scope:Array(UInt32)} and created_at <= {known_at:DateTime64(3)} and id in (select click_id from activity_fact where click_id != toUUID('00000000-0000-0000-0000-000000000000'))
) as k on a.click_id = k.id
)
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
-- {"scope":[3,5],"from1":"2026-06-01","to1":"2026-06-30","known_at":"2026-06-20 10:00:00.000","from1_":"1970-01-02","to1_":"2149-06-06","p1":10000,"country_codes":["UA","PL"],"country_ids":[1,2]}

select c_offer as g1, c_traffic_source as g2, facts.cause as cause, facts.actor as actor, facts.is_late as is_late, if(cause = 'click', count(), uniqExact(facts.fact)) as facts_count, max(facts.at) as last_at
from (
select offer_id as c_offer, traffic_source_id as c_traffic_source, 'click' as cause, toUInt32(0) as actor, created_at as at, toUInt64(0) as fact, toUInt8(0) as is_late from click where created_at > {known_at:DateTime64(3)} and is_click and partner_id in {scope:Array(UInt32)} and day between {from1:Date} and {to1:Date}
union all
select offer_id as c_offer, traffic_source_id as c_traffic_source, edge.1 as cause, edge.2 as actor, edge.3 as at, toUInt64(player_id) as fact, toUInt8(day < toDate(edge.3, {zone:String})) as is_late from (
select day, player_id, source, registrations, first_deposits, qualified_players, deposits_count, deposits, first_amount, first_day_amount, bets, income, cpa_spend, rs_spend, rate_missing, previous_day, previous_bet_day, cpa_original, cpa_currency_id, income_original, income_currency_id, rs_rate, rs_original, registered_day, first_deposit_day, qualified_day, qualification, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, country_id, actual_country_id, site_id, sub_id, promocode, media_id, ip_country, geo_country, outer_id, click_id, click_day, version, is_deleted, arrayJoin(arrayFilter(edge -> edge.3 > {known_at:DateTime64(3)}, arrayConcat(
  if(own_hash != before_hash, [(toString(cause), actor_id, known_at)], []), if(own_hash != after_hash, [after_edge], [])))) as edge
from (
select *, lagInFrame(own_hash, 1, toUInt64(0)) over whole as before_hash,
  leadInFrame(own_hash, 1, own_hash) over whole as after_hash, leadInFrame((toString(cause), actor_id, known_at), 1) over whole as after_edge
from (
select day, player_id, source, registrations, first_deposits, qualified_players, deposits_count, deposits, first_amount, first_day_amount, bets, income, cpa_spend, rs_spend, rate_missing, previous_day, previous_bet_day, cpa_original, cpa_currency_id, income_original, income_currency_id, rs_rate, rs_original, registered_day, first_deposit_day, qualified_day, qualification, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id, country_id, actual_country_id, site_id, sub_id, promocode, media_id, ip_country, geo_country, outer_id, click_id, click_day, version, is_deleted, cause, actor_id, known_at, cityHash64(is_deleted, registrations, first_deposits, deposits_count, deposits, first_amount, first_day_amount, bets, income, cpa_spend, rs_spend, previous_bet_day, offer_id, advertiser_id, partner_id, offer_partner_id, stream_id, traffic_source_id, country_id, landing_id, site_id, sub_id, promocode, media_id, actual_country_id, outer_id, click_id) as own_hash
from activity_fact_log where (player_id, day) in (select player_id, day from activity_fact_log where day between {from1:Date} and {to1:Date} and known_at > {known_at:DateTime64(3)})
)
window whole as (partition by player_id, day order by version rows between unbounded preceding and unbounded following)
)
) where is_deleted = 0 and partner_id in {scope:Array(UInt32)} and day between {from1:Date} and {to1:Date}
union all
select offer_id as c_offer, traffic_source_id as c_traffic_source, edge.1 as cause, edge.2 as actor, edge.3 as at, toUInt64(spend_id) as fact, toUInt8(day < toDate(edge.3, {zone:String})) as is_late from (
select spend_id, day, offer_partner_id, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id, country_id, site_id, sub_id, media_id, currency_id, base_original, base, sum, rate_missing, is_agency, agency_rate, sum_original, version, is_deleted, arrayJoin(arrayFilter(edge -> edge.3 > {known_at:DateTime64(3)}, arrayConcat(
  if(own_hash != before_hash, [(toString(cause), actor_id, known_at)], []), if(own_hash != after_hash, [after_edge], [])))) as edge
from (
select *, lagInFrame(own_hash, 1, toUInt64(0)) over whole as before_hash,
  leadInFrame(own_hash, 1, own_hash) over whole as after_hash, leadInFrame((toString(cause), actor_id, known_at), 1) over whole as after_edge
from (
select spend_id, day, offer_partner_id, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id, country_id, site_id, sub_id, media_id, currency_id, base_original, base, sum, rate_missing, is_agency, agency_rate, sum_original, version, is_deleted, cause, actor_id, known_at, cityHash64(is_deleted, day, sum, offer_id, advertiser_id, partner_id, offer_partner_id, stream_id, traffic_source_id, country_id, site_id, sub_id, media_id) as own_hash
from spend_fact_log where spend_id in (select spend_id from spend_fact_log where known_at > {known_at:DateTime64(3)})
)
window whole as (partition by spend_id order by version rows between unbounded preceding and unbounded following)
)
) where is_deleted = 0 and partner_id in {scope:Array(UInt32)} and day between {from1:Date} and {to1:Date}
) as facts
group by g1, g2, cause, actor, is_late
order by last_at desc
limit {p1:UInt32};
-- {"scope":[3,5],"from1":"2026-06-01","to1":"2026-06-30","known_at":"2026-06-20 10:00:00.000","zone":"Europe/Kyiv","p1":100}
