select 0 as items, [tuple(level, clicks, unique_clicks, registrations, new_deposits, deposits_count, deposits_amount, first_day_amount, first_amount, bets, bettors, income, player_spend, entered_spend, players, rate_missing, lost_spends)] as tree, [] as lost_groups
from (
select toUInt8(0) as level, sum(leaf.clicks) as clicks, sum(leaf.unique_clicks) as unique_clicks, sum(leaf.registrations) as registrations, sum(leaf.new_deposits) as new_deposits, sum(leaf.deposits_count) as deposits_count, sum(leaf.deposits_amount) as deposits_amount, sum(leaf.first_day_amount) as first_day_amount, sum(leaf.first_amount) as first_amount, sum(leaf.bets) as bets, sum(leaf.bettors_by0) as bettors, sum(leaf.income) as income, sum(leaf.player_spend) as player_spend, sum(leaf.entered_spend) as entered_spend, sum(leaf.players) as players, max(leaf.rate_missing) as rate_missing, toInt64(0) as lost_spends, [] as lost_groups
from (
select sum(facts.n_clicks) as clicks, sum(facts.n_unique_clicks) as unique_clicks, sum(facts.n_registrations) as registrations, sum(facts.n_new_deposits) as new_deposits, sum(facts.n_deposits_count) as deposits_count, sum(facts.n_deposits_amount) as deposits_amount, sum(facts.n_first_day_amount) as first_day_amount, sum(facts.n_first_amount) as first_amount, sum(facts.n_bets) as bets, sum(facts.n_bettors_by0) as bettors_by0, sum(facts.n_income) as income, sum(facts.n_player_spend) as player_spend, sum(facts.n_entered_spend) as entered_spend, sum(facts.n_players) as players, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select toInt64(sum(is_click)) as n_clicks, toInt64(sum(is_unique)) as n_unique_clicks, toInt64(0) as n_registrations, toInt64(0) as n_new_deposits, toInt64(0) as n_deposits_count, toInt64(0) as n_deposits_amount, toInt64(0) as n_first_day_amount, toInt64(0) as n_first_amount, toInt64(0) as n_bets, toInt64(0) as n_bettors_by0, toInt64(0) as n_income, toInt64(0) as n_player_spend, toInt64(0) as n_entered_spend, toInt64(0) as n_players, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
union all
select toInt64(0) as n_clicks, toInt64(0) as n_unique_clicks, toInt64(sum(registrations)) as n_registrations, toInt64(sum(first_deposits)) as n_new_deposits, toInt64(sum(deposits_count)) as n_deposits_count, toInt64(sum(deposits) * 10000) as n_deposits_amount, toInt64(sum(first_day_amount) * 10000) as n_first_day_amount, toInt64(sum(first_amount) * 10000) as n_first_amount, toInt64(sum(bets) * 10000) as n_bets, toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})) as n_bettors_by0, toInt64(sum(income) * 10000) as n_income, toInt64(sum(cpa_spend + rs_spend) * 10000) as n_player_spend, toInt64(0) as n_entered_spend, toInt64(countIf(previous_day < {from1:Date})) as n_players, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
union all
select toInt64(0) as n_clicks, toInt64(0) as n_unique_clicks, toInt64(0) as n_registrations, toInt64(0) as n_new_deposits, toInt64(0) as n_deposits_count, toInt64(0) as n_deposits_amount, toInt64(0) as n_first_day_amount, toInt64(0) as n_first_amount, toInt64(0) as n_bets, toInt64(0) as n_bettors_by0, toInt64(0) as n_income, toInt64(0) as n_player_spend, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(0) as n_players, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and day between {from1:Date} and {to1:Date}
) as facts
) as leaf
having sum(all_traffic) > 0 or level = 0
);
-- {"scope":[3,5],"from1":"2026-06-01","to1":"2026-06-30"}

-- nothing to ask

-- nothing to ask
