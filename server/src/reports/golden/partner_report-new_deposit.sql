select items, [line] as tree, if(place = 1, lost_groups, []) as lost_groups from (
with n[1] as new_deposits, n[3] as players, n[4] as rate_missing, n[5] as lost_spends
select tuple(level, g1, g2, n) as line, lost_groups, row_number() over (order by level = 0 desc, transform(g1, {p2:Array(UInt32)}, {p3:Array(UInt32)}, toUInt32(0)) asc, g1 asc, g2 asc) as place, count() over () - 1 as items
from (
select g1, g2, toUInt8(2 - bitCount(grouping(g1, g2))) as level, arrayConcat(arrayResize(sumForEach(leaf.n), 2), [arrayResize(sumForEach(leaf.n), 2)[2], max(leaf.rate_missing), toInt64(0)]) as n, [] as lost_groups
from (
select c_partner as g1, c_month as g2, sumForEach(facts.n) as n, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select partner_id as c_partner, toStartOfMonth(day) as c_month, [toInt64(sum(first_deposits)), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(sum(first_deposits)) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p1:Array(UInt32)}
group by c_partner, c_month
) as facts
group by g1, g2
limit {most_groups:UInt64} + 1
) as leaf
group by g1, g2 with rollup
having throwIf(count() > {most_groups:UInt64}, 'too many groups') = 0 and (sum(all_traffic) > 0 or level = 0)
)
where level = 0 or (level = 2)
)
order by place;
-- {"scope":[1,2],"from1":"2026-06-01","to1":"2026-06-30","p1":[7],"most_groups":200000,"p2":[1,2],"p3":[1,2]}
