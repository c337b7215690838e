select items, tree, lost_groups from (
select tree, lost_groups, row_number() over (order by is_total desc, sort_key asc nulls last, g1 asc) as place, count() over () - 1 as items
from (
select level = 0 as is_total, g1, groupArray(tuple(level, g1, g2, clicks, unique_clicks, registrations, new_deposits, deposits_count, deposits_amount, first_day_amount, first_amount, bets, bettors, income, player_spend, entered_spend, players, rate_missing, lost_spends)) as tree, anyIf(g1, level = 1) as sort_key,
  anyIf(lost_groups, level = 0) as lost_groups
from (
select g1, g2, toUInt8(2 - bitCount(grouping(g1, g2))) as level, sum(leaf.clicks) as clicks, sum(leaf.unique_clicks) as unique_clicks, sum(leaf.registrations) as registrations, sum(leaf.new_deposits) as new_deposits, sum(leaf.deposits_count) as deposits_count, sum(leaf.deposits_amount) as deposits_amount, sum(leaf.first_day_amount) as first_day_amount, sum(leaf.first_amount) as first_amount, sum(leaf.bets) as bets, multiIf(level = 0, sum(leaf.bettors_by0), level = 1, sum(leaf.bettors_by1), sum(leaf.bettors_by1)) as bettors, sum(leaf.income) as income, sum(leaf.player_spend) as player_spend, if(level = 0, sum(leaf.entered_spend), sumIf(leaf.entered_spend, all_traffic > 0)) as entered_spend, sum(leaf.players) as players, max(leaf.rate_missing) as rate_missing, toInt64(countIf((leaf.entered_spend != 0) and all_traffic <= 0)) as lost_spends, groupUniqArrayIf(1000)(tuple(leaf.g1, leaf.g2), (leaf.entered_spend != 0) and all_traffic <= 0) as lost_groups
from (
select c_month as g1, c_traffic_source as g2, sum(facts.n_clicks) as clicks, sum(facts.n_unique_clicks) as unique_clicks, sum(facts.n_registrations) as registrations, sum(facts.n_new_deposits) as new_deposits, sum(facts.n_deposits_count) as deposits_count, sum(facts.n_deposits_amount) as deposits_amount, sum(facts.n_first_day_amount) as first_day_amount, sum(facts.n_first_amount) as first_amount, sum(facts.n_bets) as bets, sum(facts.n_bettors_by0) as bettors_by0, sum(facts.n_bettors_by1) as bettors_by1, sum(facts.n_income) as income, sum(facts.n_player_spend) as player_spend, sum(facts.n_entered_spend) as entered_spend, sum(facts.n_players) as players, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select toStartOfMonth(day) as c_month, traffic_source_id as c_traffic_source, toInt64(sum(is_click)) as n_clicks, toInt64(sum(is_unique)) as n_unique_clicks, toInt64(0) as n_registrations, toInt64(0) as n_new_deposits, toInt64(0) as n_deposits_count, toInt64(0) as n_deposits_amount, toInt64(0) as n_first_day_amount, toInt64(0) as n_first_amount, toInt64(0) as n_bets, toInt64(0) as n_bettors_by0, toInt64(0) as n_bettors_by1, toInt64(0) as n_income, toInt64(0) as n_player_spend, toInt64(0) as n_entered_spend, toInt64(0) as n_players, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where day between {from1:Date} and {to1:Date}
  and partner_id in {p1:Array(UInt32)}
  and toYYYYMM(day) not in {p2:Array(UInt32)}
group by c_month, c_traffic_source
union all
select toStartOfMonth(day) as c_month, traffic_source_id as c_traffic_source, toInt64(sum(is_click)) as n_clicks, toInt64(sum(is_unique)) as n_unique_clicks, toInt64(0) as n_registrations, toInt64(0) as n_new_deposits, toInt64(0) as n_deposits_count, toInt64(0) as n_deposits_amount, toInt64(0) as n_first_day_amount, toInt64(0) as n_first_amount, toInt64(0) as n_bets, toInt64(0) as n_bettors_by0, toInt64(0) as n_bettors_by1, toInt64(0) as n_income, toInt64(0) as n_player_spend, toInt64(0) as n_entered_spend, toInt64(0) as n_players, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click_month
where run in {p4:Array(UInt64)}
  and partner_id in {p3:Array(UInt32)}
group by c_month, c_traffic_source
union all
select toStartOfMonth(day) as c_month, traffic_source_id as c_traffic_source, toInt64(0) as n_clicks, toInt64(0) as n_unique_clicks, toInt64(sum(registrations)) as n_registrations, toInt64(sum(first_deposits)) as n_new_deposits, toInt64(sum(deposits_count)) as n_deposits_count, toInt64(sum(deposits) * 10000) as n_deposits_amount, toInt64(sum(first_day_amount) * 10000) as n_first_day_amount, toInt64(sum(first_amount) * 10000) as n_first_amount, toInt64(sum(bets) * 10000) as n_bets, toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})) as n_bettors_by0, toInt64(countIf(bets > 0 and previous_bet_day < greatest({from1:Date}, toStartOfMonth(day)))) as n_bettors_by1, toInt64(sum(income) * 10000) as n_income, toInt64(sum(cpa_spend + rs_spend) * 10000) as n_player_spend, toInt64(0) as n_entered_spend, toInt64(countIf(previous_day < {from1:Date})) as n_players, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and day between {from1:Date} and {to1:Date}
  and partner_id in {p5:Array(UInt32)}
  and toYYYYMM(day) not in {p6:Array(UInt32)}
group by c_month, c_traffic_source
union all
select toStartOfMonth(day) as c_month, traffic_source_id as c_traffic_source, toInt64(0) as n_clicks, toInt64(0) as n_unique_clicks, toInt64(sum(registrations)) as n_registrations, toInt64(sum(first_deposits)) as n_new_deposits, toInt64(sum(deposits_count)) as n_deposits_count, toInt64(sum(deposits) * 10000) as n_deposits_amount, toInt64(sum(first_day_amount) * 10000) as n_first_day_amount, toInt64(sum(first_amount) * 10000) as n_first_amount, toInt64(sum(bets) * 10000) as n_bets, toInt64(sum(arrayCount(before -> before < {from1:Date}, bet_days))) as n_bettors_by0, toInt64(sum(arrayCount(before -> before < greatest({from1:Date}, toStartOfMonth(day)), bet_days))) as n_bettors_by1, toInt64(sum(income) * 10000) as n_income, toInt64(sum(cpa_spend + rs_spend) * 10000) as n_player_spend, toInt64(0) as n_entered_spend, toInt64(sum(arrayCount(before -> before < {from1:Date}, days))) as n_players, toInt64(sum(rows)) as n_traffic, max(rate_missing) as n_rate_missing
from activity_month
where run in {p8:Array(UInt64)}
  and partner_id in {p7:Array(UInt32)}
group by c_month, c_traffic_source
union all
select toStartOfMonth(day) as c_month, traffic_source_id as c_traffic_source, toInt64(0) as n_clicks, toInt64(0) as n_unique_clicks, toInt64(0) as n_registrations, toInt64(0) as n_new_deposits, toInt64(0) as n_deposits_count, toInt64(0) as n_deposits_amount, toInt64(0) as n_first_day_amount, toInt64(0) as n_first_amount, toInt64(0) as n_bets, toInt64(0) as n_bettors_by0, toInt64(0) as n_bettors_by1, toInt64(0) as n_income, toInt64(0) as n_player_spend, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(0) as n_players, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and day between {from1:Date} and {to1:Date}
  and partner_id in {p9:Array(UInt32)}
group by c_month, c_traffic_source
) as facts
group by g1, g2
) as leaf
group by g1, g2 with rollup
having sum(all_traffic) > 0 or level = 0
)
group by is_total, g1
)
)
where place = 1 or place between {p10:UInt64} and {p11:UInt64}
order by place
