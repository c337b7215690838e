select items, tree, lost_groups from (
select tree, lost_groups, row_number() over (order by is_total desc, sort_key desc nulls last, g1 asc) as place, count() over () - 1 as items
from (
with n[1] as clicks, n[2] as unique_clicks, n[3] as registrations, n[4] as new_deposits, n[5] as deposits_count, n[6] as deposits_amount, n[7] as first_day_amount, n[8] as first_amount, n[9] as bets, n[18] as income, n[19] as player_spend, n[21] as clicks_2, n[22] as unique_clicks_2, n[23] as registrations_2, n[24] as new_deposits_2, n[25] as deposits_count_2, n[26] as deposits_amount_2, n[27] as first_day_amount_2, n[28] as first_amount_2, n[29] as bets_2, n[38] as income_2, n[39] as player_spend_2, n[41] as entered_spend, n[42] as entered_spend_2, n[43] as reported_facts, n[44] as unreported_facts, n[45] as reported_facts_2, n[46] as unreported_facts_2, n[47] as bettors, n[48] as bettors_2, n[49] as players, n[50] as rate_missing, n[51] as lost_spends
select level = 0 as is_total, g1, groupArray(tuple(level, g1, g2, g3, g4, n)) as tree, anyIf(if(unreported_facts_2 > 0 and reported_facts_2 = 0, null, (sign((toInt128(income_2) - toInt128(player_spend_2) - toInt128(entered_spend_2)) * 10000) * sign((toInt128(player_spend_2) + toInt128(entered_spend_2))) * intDiv(2 * abs((toInt128(income_2) - toInt128(player_spend_2) - toInt128(entered_spend_2)) * 10000) + abs((toInt128(player_spend_2) + toInt128(entered_spend_2))), nullIf(2 * abs((toInt128(player_spend_2) + toInt128(entered_spend_2))), 0)))), level = 1) as sort_key,
  anyIf(lost_groups, level = 0) as lost_groups
from (
select g1, g2, g3, g4, toUInt8(4 - bitCount(grouping(g1, g2, g3, g4))) as level, arrayConcat(arrayResize(sumForEach(leaf.n), 20), arrayResize(sumForEach(leaf.n_2), 20), [if(level = 0, sum(leaf.entered_spend), sumIf((leaf.entered_spend - leaf.placeless_spend), all_traffic > 0)), if(level = 0, sum(leaf.entered_spend_2), sumIf((leaf.entered_spend_2 - leaf.placeless_spend_2), all_traffic > 0)), sum(leaf.reported_facts), sum(leaf.unreported_facts), sum(leaf.reported_facts_2), sum(leaf.unreported_facts_2), multiIf(level = 0, arrayResize(sumForEach(leaf.n), 20)[10], level = 1, arrayResize(sumForEach(leaf.n), 20)[11], level = 2, arrayResize(sumForEach(leaf.n), 20)[11], level = 3, arrayResize(sumForEach(leaf.n), 20)[12], arrayResize(sumForEach(leaf.n), 20)[13]), multiIf(level = 0, arrayResize(sumForEach(leaf.n_2), 20)[14], level = 1, arrayResize(sumForEach(leaf.n_2), 20)[15], level = 2, arrayResize(sumForEach(leaf.n_2), 20)[15], level = 3, arrayResize(sumForEach(leaf.n_2), 20)[16], arrayResize(sumForEach(leaf.n_2), 20)[17]), arrayResize(sumForEach(leaf.n), 20)[20], max(leaf.rate_missing), toInt64(countIf((((leaf.entered_spend - leaf.placeless_spend) != 0 or (leaf.entered_spend_2 - leaf.placeless_spend_2) != 0) and all_traffic <= 0) or (leaf.placeless_spend != 0 or leaf.placeless_spend_2 != 0)))]) as n, groupUniqArrayIf(1000)(tuple(leaf.g1, leaf.g2, leaf.g3, leaf.g4), ((leaf.entered_spend - leaf.placeless_spend) != 0 or (leaf.entered_spend_2 - leaf.placeless_spend_2) != 0) and all_traffic <= 0) as lost_groups
from (
select c_month as g1, c_offer as g2, c_week as g3, c_day as g4, sumForEachIf(facts.n, in1) as n, sumForEachIf(facts.n, in2) as n_2, sumIf(facts.n_entered_spend, in1) as entered_spend, sumIf(facts.n_placeless_spend, in1) as placeless_spend, sumIf(facts.n_entered_spend, in2) as entered_spend_2, sumIf(facts.n_placeless_spend, in2) as placeless_spend_2, sumIf(facts.n_reported_facts, in1) as reported_facts, sumIf(facts.n_unreported_facts, in1) as unreported_facts, sumIf(facts.n_reported_facts, in2) as reported_facts_2, sumIf(facts.n_unreported_facts, in2) as unreported_facts_2, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select toStartOfMonth(day) as c_month, offer_id as c_offer, toMonday(day) as c_week, day as c_day, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, [toInt64(sum(is_click)), toInt64(sum(is_unique))] as n, toInt64(0) as n_entered_spend, toInt64(0) as n_placeless_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), sum(is_click), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, sum(is_click))) as n_unreported_facts, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_month, c_offer, c_week, c_day, in1, in2, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select toStartOfMonth(day) as c_month, offer_id as c_offer, toMonday(day) as c_week, day as c_day, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, [0, 0, toInt64(sum(registrations)), toInt64(sum(first_deposits)), toInt64(sum(deposits_count)), toInt64(sum(deposits) * 10000), toInt64(sum(first_day_amount) * 10000), toInt64(sum(first_amount) * 10000), toInt64(sum(bets) * 10000), toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})), toInt64(countIf(bets > 0 and previous_bet_day < greatest({from1:Date}, toStartOfMonth(day)))), toInt64(countIf(bets > 0 and previous_bet_day < greatest({from1:Date}, toStartOfMonth(day), toMonday(day)))), toInt64(countIf(bets > 0 and previous_bet_day < greatest({from1:Date}, toStartOfMonth(day), toMonday(day), day))), toInt64(countIf(bets > 0 and previous_bet_day < {from2:Date})), toInt64(countIf(bets > 0 and previous_bet_day < greatest({from2:Date}, toStartOfMonth(day)))), toInt64(countIf(bets > 0 and previous_bet_day < greatest({from2:Date}, toStartOfMonth(day), toMonday(day)))), toInt64(countIf(bets > 0 and previous_bet_day < greatest({from2:Date}, toStartOfMonth(day), toMonday(day), day))), toInt64(sum(income) * 10000), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(0) as n_placeless_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), count(), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, count())) as n_unreported_facts, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_month, c_offer, c_week, c_day, in1, in2, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
union all
select toStartOfMonth(day) as c_month, offer_id as c_offer, toMonday(day) as c_week, day as c_day, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(sumIf(sum, offer_partner_id = toUInt32(0)) * 10000) as n_placeless_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_month, c_offer, c_week, c_day, in1, in2
) as facts
group by g1, g2, g3, g4
limit {most_groups:UInt64} + 1
) as leaf
group by g1, g2, g3, g4 with rollup
having throwIf(count() > {most_groups:UInt64}, 'too many groups') = 0 and (sum(all_traffic) > 0 or level = 0)
)
group by is_total, g1
)
)
where place = 1 or place between {p1:UInt64} and {p2:UInt64}
order by place;
-- {"scope":[3,5],"from1":"2026-06-01","to1":"2026-06-30","from2":"2026-05-02","to2":"2026-05-31","reporting_advertisers":[0,1,2],"reported_days":["2149-06-06","2026-06-20","2026-06-21"],"most_groups":200000,"p1":2,"p2":21}

-- nothing to ask

select c_country, c_partner, c_stream, c_day, sumIf(facts.n_entered_spend, in1) as spend, sumIf(facts.n_entered_spend, in2) as spend_2
from (
select toStartOfMonth(day) as c_month, offer_id as c_offer, toMonday(day) as c_week, day as c_day, country_id as c_country, partner_id as c_partner, stream_id as c_stream, offer_partner_id as c_offer_partner, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(sumIf(sum, offer_partner_id = toUInt32(0)) * 10000) as n_placeless_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_month, c_offer, c_week, c_day, c_country, c_partner, c_stream, c_offer_partner, in1, in2
) as facts
where ((c_offer_partner = toUInt32(0)) or tuple(c_month, c_offer, c_week, c_day) not in (
select tuple(g1, g2, g3, g4) from (
select c_month as g1, c_offer as g2, c_week as g3, c_day as g4, sum(facts.n_traffic) as all_traffic from (
select toStartOfMonth(day) as c_month, offer_id as c_offer, toMonday(day) as c_week, day as c_day, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, emptyArrayInt64() as n, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_month, c_offer, c_week, c_day, in1, in2
union all
select toStartOfMonth(day) as c_month, offer_id as c_offer, toMonday(day) as c_week, day as c_day, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, [toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_month, c_offer, c_week, c_day, in1, in2
) as facts
group by g1, g2, g3, g4 having all_traffic > 0
)))
group by c_country, c_partner, c_stream, c_day
having spend != 0 or spend_2 != 0
order by c_day desc, c_country, c_partner, c_stream
limit {p1:UInt32};
-- {"scope":[3,5],"from1":"2026-06-01","to1":"2026-06-30","from2":"2026-05-02","to2":"2026-05-31","p1":10000}
