select items, [line] as tree, if(place = 1, lost_groups, []) as lost_groups from (
with n[1] as new_deposits, n[2] as player_spend, n[3] as qualified_players, n[5] as entered_spend, n[6] as players, n[7] as rate_missing, n[8] as lost_spends
select tuple(level, g1, g2, g3, g4, n) as line, lost_groups, row_number() over (order by level = 0 desc, (sign((toInt128(player_spend) + toInt128(entered_spend)) * 100) * sign((toInt128(new_deposits)) * 10000) * intDiv(2 * abs((toInt128(player_spend) + toInt128(entered_spend)) * 100) + abs((toInt128(new_deposits)) * 10000), nullIf(2 * abs((toInt128(new_deposits)) * 10000), 0))) desc nulls last, transform(g1, {p3:Array(UInt32)}, {p4:Array(UInt32)}, toUInt32(0)) asc, g1 asc, transform(g2, {p5:Array(UInt32)}, {p6:Array(UInt32)}, toUInt32(0)) asc, g2 asc, transform(g3, {p7:Array(UInt32)}, {p8:Array(UInt32)}, toUInt32(0)) asc, g3 asc, g4 asc) as place, count() over () - 1 as items
from (
select g1, g2, g3, g4, toUInt8(4 - bitCount(grouping(g1, g2, g3, g4))) as level, arrayConcat(arrayResize(sumForEach(leaf.n), 4), [if(level = 0, sum(leaf.entered_spend), sumIf(leaf.entered_spend, all_traffic > 0)), arrayResize(sumForEach(leaf.n), 4)[4], max(leaf.rate_missing), toInt64(countIf((leaf.entered_spend != 0) and all_traffic <= 0))]) as n, groupUniqArrayIf(1000)(tuple(leaf.g1, leaf.g2, leaf.g3, leaf.g4), (leaf.entered_spend != 0) and all_traffic <= 0) as lost_groups
from (
select c_partner as g1, c_stream as g2, c_country as g3, c_day as g4, sumForEach(facts.n) as n, sum(facts.n_entered_spend) as entered_spend, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select partner_id as c_partner, stream_id as c_stream, country_id as c_country, day as c_day, [toInt64(sum(first_deposits)), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(sum(qualified_players)), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(countIf(cpa_spend != 0 or rs_spend != 0 or first_deposits > 0 or qualified_players > 0)) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p1:Array(UInt32)}
group by c_partner, c_stream, c_country, c_day
union all
select partner_id as c_partner, stream_id as c_stream, country_id as c_country, day as c_day, emptyArrayInt64() as n, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(countIf(sum != 0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p2:Array(UInt32)}
group by c_partner, c_stream, c_country, c_day
) as facts
group by g1, g2, g3, g4
limit {most_groups:UInt64} + 1
) as leaf
group by g1, g2, g3, g4 with rollup
having throwIf(count() > {most_groups:UInt64}, 'too many groups') = 0 and (sum(all_traffic) > 0 or level = 0)
)
where level = 0 or (level = 4)
)
where place = 1 or place between {p9:UInt64} and {p10:UInt64}
order by place;
-- {"scope":[1,2],"from1":"2026-06-01","to1":"2026-06-30","p1":[7],"p2":[7],"most_groups":200000,"p3":[1,2],"p4":[1,2],"p5":[1,2],"p6":[1,2],"p7":[2,1],"p8":[1,2],"p9":2,"p10":21}
