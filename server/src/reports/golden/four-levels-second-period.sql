select items, tree, lost_groups from (
select tree, lost_groups, row_number() over (order by is_total desc, sort_key desc nulls last, g1 asc) as place, count() over () - 1 as items
from (
select level = 0 as is_total, g1, groupArray(tuple(level, g1, g2, g3, g4, clicks, unique_clicks, registrations, new_deposits, deposits_count, deposits_amount, first_day_amount, first_amount, bets, bettors, income, player_spend, entered_spend, clicks_2, unique_clicks_2, registrations_2, new_deposits_2, deposits_count_2, deposits_amount_2, first_day_amount_2, first_amount_2, bets_2, bettors_2, income_2, player_spend_2, entered_spend_2, players, rate_missing, lost_spends)) as tree, anyIf((sign((toInt128(income_2) - toInt128(player_spend_2) - toInt128(entered_spend_2)) * 10000) * sign((toInt128(player_spend_2) + toInt128(entered_spend_2))) * intDiv(2 * abs((toInt128(income_2) - toInt128(player_spend_2) - toInt128(entered_spend_2)) * 10000) + abs((toInt128(player_spend_2) + toInt128(entered_spend_2))), nullIf(2 * abs((toInt128(player_spend_2) + toInt128(entered_spend_2))), 0))), level = 1) as sort_key,
  anyIf(lost_groups, level = 0) as lost_groups
from (
select g1, g2, g3, g4, toUInt8(4 - bitCount(grouping(g1, g2, g3, g4))) as level, sum(leaf.clicks) as clicks, sum(leaf.unique_clicks) as unique_clicks, sum(leaf.registrations) as registrations, sum(leaf.new_deposits) as new_deposits, sum(leaf.deposits_count) as deposits_count, sum(leaf.deposits_amount) as deposits_amount, sum(leaf.first_day_amount) as first_day_amount, sum(leaf.first_amount) as first_amount, sum(leaf.bets) as bets, multiIf(level = 0, sum(leaf.bettors_by0), level = 1, sum(leaf.bettors_by1), level = 2, sum(leaf.bettors_by1), level = 3, sum(leaf.bettors_by2), sum(leaf.bettors_by3)) as bettors, sum(leaf.income) as income, sum(leaf.player_spend) as player_spend, if(level = 0, sum(leaf.entered_spend), sumIf(leaf.entered_spend, all_traffic > 0)) as entered_spend, sum(leaf.clicks_2) as clicks_2, sum(leaf.unique_clicks_2) as unique_clicks_2, sum(leaf.registrations_2) as registrations_2, sum(leaf.new_deposits_2) as new_deposits_2, sum(leaf.deposits_count_2) as deposits_count_2, sum(leaf.deposits_amount_2) as deposits_amount_2, sum(leaf.first_day_amount_2) as first_day_amount_2, sum(leaf.first_amount_2) as first_amount_2, sum(leaf.bets_2) as bets_2, multiIf(level = 0, sum(leaf.bettors_by0_2), level = 1, sum(leaf.bettors_by1_2), level = 2, sum(leaf.bettors_by1_2), level = 3, sum(leaf.bettors_by2_2), sum(leaf.bettors_by3_2)) as bettors_2, sum(leaf.income_2) as income_2, sum(leaf.player_spend_2) as player_spend_2, if(level = 0, sum(leaf.entered_spend_2), sumIf(leaf.entered_spend_2, all_traffic > 0)) as entered_spend_2, sum(leaf.players) as players, max(leaf.rate_missing) as rate_missing, toInt64(countIf((leaf.entered_spend != 0 or leaf.entered_spend_2 != 0) and all_traffic <= 0)) as lost_spends, groupUniqArrayIf(1000)(tuple(leaf.g1, leaf.g2, leaf.g3, leaf.g4), (leaf.entered_spend != 0 or leaf.entered_spend_2 != 0) and all_traffic <= 0) as lost_groups
from (
select c_month as g1, c_offer as g2, c_week as g3, c_day as g4, sumIf(facts.n_clicks, in1) as clicks, sumIf(facts.n_unique_clicks, in1) as unique_clicks, sumIf(facts.n_registrations, in1) as registrations, sumIf(facts.n_new_deposits, in1) as new_deposits, sumIf(facts.n_deposits_count, in1) as deposits_count, sumIf(facts.n_deposits_amount, in1) as deposits_amount, sumIf(facts.n_first_day_amount, in1) as first_day_amount, sumIf(facts.n_first_amount, in1) as first_amount, sumIf(facts.n_bets, in1) as bets, sumIf(facts.n_bettors_by0, in1) as bettors_by0, sumIf(facts.n_bettors_by1, in1) as bettors_by1, sumIf(facts.n_bettors_by2, in1) as bettors_by2, sumIf(facts.n_bettors_by3, in1) as bettors_by3, sumIf(facts.n_income, in1) as income, sumIf(facts.n_player_spend, in1) as player_spend, sumIf(facts.n_entered_spend, in1) as entered_spend, sumIf(facts.n_clicks, in2) as clicks_2, sumIf(facts.n_unique_clicks, in2) as unique_clicks_2, sumIf(facts.n_registrations, in2) as registrations_2, sumIf(facts.n_new_deposits, in2) as new_deposits_2, sumIf(facts.n_deposits_count, in2) as deposits_count_2, sumIf(facts.n_deposits_amount, in2) as deposits_amount_2, sumIf(facts.n_first_day_amount, in2) as first_day_amount_2, sumIf(facts.n_first_amount, in2) as first_amount_2, sumIf(facts.n_bets, in2) as bets_2, sumIf(facts.n_bettors_by0_2, in2) as bettors_by0_2, sumIf(facts.n_bettors_by1_2, in2) as bettors_by1_2, sumIf(facts.n_bettors_by2_2, in2) as bettors_by2_2, sumIf(facts.n_bettors_by3_2, in2) as bettors_by3_2, sumIf(facts.n_income, in2) as income_2, sumIf(facts.n_player_spend, in2) as player_spend_2, sumIf(facts.n_entered_spend, in2) as entered_spend_2, sumIf(facts.n_players, in1) as players, sum(facts.n_traffic) as all_traffic, max(facts.n_rate_missing) as rate_missing
from (
select toStartOfMonth(day) as c_month, offer_id as c_offer, toMonday(day) as c_week, day as c_day, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, toInt64(sum(is_click)) as n_clicks, toInt64(sum(is_unique)) as n_unique_clicks, toInt64(0) as n_registrations, toInt64(0) as n_new_deposits, toInt64(0) as n_deposits_count, toInt64(0) as n_deposits_amount, toInt64(0) as n_first_day_amount, toInt64(0) as n_first_amount, toInt64(0) as n_bets, toInt64(0) as n_bettors_by0, toInt64(0) as n_bettors_by1, toInt64(0) as n_bettors_by2, toInt64(0) as n_bettors_by3, toInt64(0) as n_bettors_by0_2, toInt64(0) as n_bettors_by1_2, toInt64(0) as n_bettors_by2_2, toInt64(0) as n_bettors_by3_2, toInt64(0) as n_income, toInt64(0) as n_player_spend, toInt64(0) as n_entered_spend, toInt64(0) as n_players, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_month, c_offer, c_week, c_day, in1, in2
union all
select toStartOfMonth(day) as c_month, offer_id as c_offer, toMonday(day) as c_week, day as c_day, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, toInt64(0) as n_clicks, toInt64(0) as n_unique_clicks, toInt64(sum(registrations)) as n_registrations, toInt64(sum(first_deposits)) as n_new_deposits, toInt64(sum(deposits_count)) as n_deposits_count, toInt64(sum(deposits) * 10000) as n_deposits_amount, toInt64(sum(first_day_amount) * 10000) as n_first_day_amount, toInt64(sum(first_amount) * 10000) as n_first_amount, toInt64(sum(bets) * 10000) as n_bets, toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})) as n_bettors_by0, toInt64(countIf(bets > 0 and previous_bet_day < greatest({from1:Date}, toStartOfMonth(day)))) as n_bettors_by1, toInt64(countIf(bets > 0 and previous_bet_day < greatest({from1:Date}, toStartOfMonth(day), toMonday(day)))) as n_bettors_by2, toInt64(countIf(bets > 0 and previous_bet_day < greatest({from1:Date}, toStartOfMonth(day), toMonday(day), day))) as n_bettors_by3, toInt64(countIf(bets > 0 and previous_bet_day < {from2:Date})) as n_bettors_by0_2, toInt64(countIf(bets > 0 and previous_bet_day < greatest({from2:Date}, toStartOfMonth(day)))) as n_bettors_by1_2, toInt64(countIf(bets > 0 and previous_bet_day < greatest({from2:Date}, toStartOfMonth(day), toMonday(day)))) as n_bettors_by2_2, toInt64(countIf(bets > 0 and previous_bet_day < greatest({from2:Date}, toStartOfMonth(day), toMonday(day), day))) as n_bettors_by3_2, toInt64(sum(income) * 10000) as n_income, toInt64(sum(cpa_spend + rs_spend) * 10000) as n_player_spend, toInt64(0) as n_entered_spend, toInt64(countIf(previous_day < {from1:Date})) as n_players, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_month, c_offer, c_week, c_day, in1, in2
union all
select toStartOfMonth(day) as c_month, offer_id as c_offer, toMonday(day) as c_week, day as c_day, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, toInt64(0) as n_clicks, toInt64(0) as n_unique_clicks, toInt64(0) as n_registrations, toInt64(0) as n_new_deposits, toInt64(0) as n_deposits_count, toInt64(0) as n_deposits_amount, toInt64(0) as n_first_day_amount, toInt64(0) as n_first_amount, toInt64(0) as n_bets, toInt64(0) as n_bettors_by0, toInt64(0) as n_bettors_by1, toInt64(0) as n_bettors_by2, toInt64(0) as n_bettors_by3, toInt64(0) as n_bettors_by0_2, toInt64(0) as n_bettors_by1_2, toInt64(0) as n_bettors_by2_2, toInt64(0) as n_bettors_by3_2, toInt64(0) as n_income, toInt64(0) as n_player_spend, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(0) as n_players, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_month, c_offer, c_week, c_day, in1, in2
) as facts
group by g1, g2, g3, g4
) as leaf
group by g1, g2, g3, g4 with rollup
having sum(all_traffic) > 0 or level = 0
)
group by is_total, g1
)
)
where place = 1 or place between {p1:UInt64} and {p2:UInt64}
order by place;
-- {"scope":[3,5],"from1":"2026-06-01","to1":"2026-06-30","from2":"2026-05-02","to2":"2026-05-31","p1":2,"p2":21}

-- nothing to ask

select c_country, c_partner, c_stream, c_day, sumIf(facts.n_entered_spend, in1) as spend, sumIf(facts.n_entered_spend, in2) as spend_2
from (
select toStartOfMonth(day) as c_month, offer_id as c_offer, toMonday(day) as c_week, day as c_day, country_id as c_country, partner_id as c_partner, stream_id as c_stream, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, toInt64(0) as n_clicks, toInt64(0) as n_unique_clicks, toInt64(0) as n_registrations, toInt64(0) as n_new_deposits, toInt64(0) as n_deposits_count, toInt64(0) as n_deposits_amount, toInt64(0) as n_first_day_amount, toInt64(0) as n_first_amount, toInt64(0) as n_bets, toInt64(0) as n_bettors_by0, toInt64(0) as n_bettors_by1, toInt64(0) as n_bettors_by2, toInt64(0) as n_bettors_by3, toInt64(0) as n_bettors_by0_2, toInt64(0) as n_bettors_by1_2, toInt64(0) as n_bettors_by2_2, toInt64(0) as n_bettors_by3_2, toInt64(0) as n_income, toInt64(0) as n_player_spend, toInt64(sum(sum) * 10000) as n_entered_spend, toInt64(0) as n_players, toInt64(toUInt64(0)) as n_traffic, max(rate_missing) as n_rate_missing
from spend_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_month, c_offer, c_week, c_day, c_country, c_partner, c_stream, in1, in2
) as facts
where tuple(c_month, c_offer, c_week, c_day) not in (
select tuple(g1, g2, g3, g4) from (
select c_month as g1, c_offer as g2, c_week as g3, c_day as g4, sum(facts.n_traffic) as all_traffic from (
select toStartOfMonth(day) as c_month, offer_id as c_offer, toMonday(day) as c_week, day as c_day, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, toInt64(0) as n_players, toInt64(sum(is_click)) as n_traffic, toUInt8(0) as n_rate_missing
from click
where partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_month, c_offer, c_week, c_day, in1, in2
union all
select toStartOfMonth(day) as c_month, offer_id as c_offer, toMonday(day) as c_week, day as c_day, (day between {from1:Date} and {to1:Date}) as in1, (day between {from2:Date} and {to2:Date}) as in2, toInt64(countIf(previous_day < {from1:Date})) as n_players, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} or day between {from2:Date} and {to2:Date})
group by c_month, c_offer, c_week, c_day, in1, in2
) as facts
group by g1, g2, g3, g4 having all_traffic > 0
))
group by c_country, c_partner, c_stream, c_day
having spend != 0 or spend_2 != 0
order by c_day desc, c_country, c_partner, c_stream
limit {p1:UInt32};
-- {"scope":[3,5],"from1":"2026-06-01","to1":"2026-06-30","from2":"2026-05-02","to2":"2026-05-31","p1":10000}
