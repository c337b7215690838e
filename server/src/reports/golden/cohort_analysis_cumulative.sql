select items, cohort, g1, cells from (
select cohort, g1, cells, row_number() over (order by if(unreported_facts > 0 and reported_facts = 0, null, (sign((toInt128(income) - toInt128(player_spend) - toInt128(entered_spend)) * 10000) * sign((toInt128(player_spend) + toInt128(entered_spend))) * intDiv(2 * abs((toInt128(income) - toInt128(player_spend) - toInt128(entered_spend)) * 10000) + abs((toInt128(player_spend) + toInt128(entered_spend))), nullIf(2 * abs((toInt128(player_spend) + toInt128(entered_spend))), 0)))) desc nulls last, cohort, g1) as place, count() over () as items
from (
select cohort, g1, groupArray(tuple(period, cell.cohort_players, cell.depositors, cell.new_deposits, cell.deposits_count, cell.deposits_amount, cell.income, cell.player_spend, cell.entered_spend, cell.reported_facts, cell.unreported_facts, cell.rate_missing)) as cells, sum(cell.cohort_players) as cohort_players, sum(cell.new_deposits) as depositors, sum(cell.new_deposits) as new_deposits, sum(cell.deposits_count) as deposits_count, sum(cell.deposits_amount) as deposits_amount, sum(cell.income) as income, sum(cell.player_spend) as player_spend, sum(cell.entered_spend) as entered_spend, sum(cell.reported_facts) as reported_facts, sum(cell.unreported_facts) as unreported_facts
from (
select cohort, m_partner.main_manager_id as g1, period, sum(facts.n_cohort_players) as cohort_players, sum(facts.n_depositors) as depositors, sum(facts.n_new_deposits) as new_deposits, sum(facts.n_deposits_count) as deposits_count, sum(facts.n_deposits_amount) as deposits_amount, sum(facts.n_income) as income, sum(facts.n_player_spend) as player_spend, sum(facts.n_entered_spend) as entered_spend, sum(facts.n_reported_facts) as reported_facts, sum(facts.n_unreported_facts) as unreported_facts, max(facts.n_rate_missing) as rate_missing
from (
select partner_id as c_partner, toMonday(registered_day) as cohort, toUInt16(greatest(0, dateDiff('week', toMonday(registered_day), toMonday(day)))) as period, toInt64(sum(registrations)) as n_cohort_players, toInt64(uniqExactIf(player_id, deposits_count > 0)) as n_depositors, toInt64(sum(first_deposits)) as n_new_deposits, toInt64(sum(deposits_count)) as n_deposits_count, toInt64(sum(deposits) * 10000) as n_deposits_amount, toInt64(sum(income) * 10000) as n_income, toInt64(sum(cpa_spend + rs_spend) * 10000) as n_player_spend, toInt64(0) as n_entered_spend, toInt64(countIf(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)))) as n_reported_facts, toInt64(countIf(not (day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))))) as n_unreported_facts, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
  and country_id not in {p1:Array(UInt32)}
  and registered_day between {cohort_from:Date} and {cohort_to:Date}
  and toUInt16(greatest(0, dateDiff('week', toMonday(registered_day), toMonday(day)))) < {periods:UInt16}
group by c_partner, cohort, period
union all
select partner_id as c_partner, toMonday(day) as cohort, toUInt16(0) as period, toInt64(0) as n_cohort_players, toInt64(0) as n_depositors, toInt64(0) as n_new_deposits, toInt64(0) as n_deposits_count, toInt64(0) as n_deposits_amount, toInt64(0) as n_income, toInt64(0) as n_player_spend, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(0) as n_reported_facts, toInt64(0) as n_unreported_facts, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1_:Date} and {to1_:Date}
  and country_id not in {p2:Array(UInt32)}
group by c_partner, cohort, period
) as facts
left any join (select * from partner_map final where is_deleted = 0) as m_partner on facts.c_partner = m_partner.partner_id
group by cohort, g1, period
) as cell
group by cohort, g1
having ifNull((toInt128(new_deposits)) * 100 >= {p3:Int128}, 0)
)
)
where place between {p4:UInt64} and {p5:UInt64}
order by place;
-- {"scope":[1,2],"from1":"1970-01-02","to1":"<today>","p1":[7],"cohort_from":"2026-06-01","cohort_to":"2026-06-30","periods":6,"reporting_advertisers":[0,1],"reported_days":["2149-06-06","2026-06-30"],"from1_":"2026-06-01","to1_":"2026-06-30","p2":[7],"p3":"100","p4":1,"p5":1}
