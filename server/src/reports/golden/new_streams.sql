select items, [line] as tree, if(place = 1, lost_groups, []) as lost_groups from (
with n[1] as clicks, n[2] as unique_clicks, n[3] as registrations, n[4] as new_deposits, n[5] as deposits_count, n[6] as deposits_amount, n[7] as first_day_amount, n[8] as first_amount, n[9] as bets, n[10] as bettors, n[11] as income, n[12] as player_spend, n[14] as entered_spend, n[15] as reported_facts, n[16] as unreported_facts, n[17] as players, n[18] as rate_missing, n[19] as lost_spends
select tuple(level, g1, g2, g3, n) as line, lost_groups, row_number() over (order by level = 0 desc, g1 asc, transform(g2, {p7:Array(UInt32)}, {p8:Array(UInt32)}, toUInt32(0)) asc, g2 asc, transform(g3, {p9:Array(UInt32)}, {p10:Array(UInt32)}, toUInt32(0)) asc, g3 asc) as place, count() over () - 1 as items
from (
select g1, g2, g3, toUInt8(3 - bitCount(grouping(g1, g2, g3))) as level, arrayConcat(arrayResize(sumForEach(leaf.n), 13), [if(level = 0, sum(leaf.entered_spend), sumIf(leaf.entered_spend, all_traffic > 0)), sum(leaf.reported_facts), sum(leaf.unreported_facts), arrayResize(sumForEach(leaf.n), 13)[13], max(leaf.rate_missing), toInt64(countIf((leaf.entered_spend != 0) and all_traffic <= 0))]) as n, groupUniqArrayIf(1000)(tuple(leaf.g1, leaf.g2, leaf.g3), (leaf.entered_spend != 0) and all_traffic <= 0) as lost_groups
from (
select m_partner.main_manager_id as g1, c_partner as g2, c_stream as g3, sumForEach(facts.n) as n, sum(facts.n_entered_spend) as entered_spend, sum(facts.n_reported_facts) as reported_facts, sum(facts.n_unreported_facts) as unreported_facts, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select partner_id as c_partner, stream_id as c_stream, [toInt64(sum(is_click)), toInt64(sum(is_unique))] as n, toInt64(0) as n_entered_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), sum(is_click), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, sum(is_click))) as n_unreported_facts, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p1:Array(UInt32)}
  and stream_id in {p2:Array(UInt32)}
group by c_partner, c_stream, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select partner_id as c_partner, stream_id as c_stream, [0, 0, toInt64(sum(registrations)), toInt64(sum(first_deposits)), toInt64(sum(deposits_count)), toInt64(sum(deposits) * 10000), toInt64(sum(first_day_amount) * 10000), toInt64(sum(first_amount) * 10000), toInt64(sum(bets) * 10000), toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})), toInt64(sum(income) * 10000), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), count(), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, count())) as n_unreported_facts, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p3:Array(UInt32)}
  and stream_id in {p4:Array(UInt32)}
group by c_partner, c_stream, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select partner_id as c_partner, stream_id as c_stream, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(countIf(sum != 0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p5:Array(UInt32)}
  and stream_id in {p6:Array(UInt32)}
group by c_partner, c_stream
) as facts
left any join (select * from partner_map final where is_deleted = 0) as m_partner on facts.c_partner = m_partner.partner_id
group by g1, g2, g3
limit {most_groups:UInt64} + 1
) as leaf
group by g1, g2, g3 with rollup
having throwIf(count() > {most_groups:UInt64}, 'too many groups') = 0 and (sum(all_traffic) > 0 or level = 0)
)
where level = 0 or (level = 3)
)
order by place;
-- {"scope":[1,2],"from1":"2026-06-01","to1":"<today>","p1":[7],"p2":[2,1],"reporting_advertisers":[0,1],"reported_days":["2149-06-06","2026-06-30"],"p3":[7],"p4":[2,1],"p5":[7],"p6":[2,1],"most_groups":200000,"p7":[1,2],"p8":[1,2],"p9":[1,2],"p10":[1,2]}

select stream_id, min(first_day) as day from (
select stream_id, min(day) as first_day from click where is_click = 1 and stream_id != 0 and partner_id in {scope:Array(UInt32)} group by stream_id
union all
select stream_id, min(day) as first_day from activity_fact final where is_deleted = 0 and stream_id != 0 and (registrations > 0 or deposits_count > 0) and partner_id in {scope:Array(UInt32)} group by stream_id
) group by stream_id
having day between {from1:Date} and {to1:Date};
-- {"scope":[1,2],"from1":"2026-06-01","to1":"2026-06-30"}
