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
select offer_id as c_offer, traffic_source_id as c_traffic_source, [0, 0, toInt64(sum(registrations)), toInt64(sum(first_deposits)), toInt64(sum(deposits_count)), toInt64(sum(deposits) * 10000), toInt64(sum(first_day_amount) * 10000), toInt64(sum(first_amount) * 10000), toInt64(sum(bets) * 10000), toInt64(countIf(bets > 0 and previous_bet_day < {from1:Date})), toInt64(sum(income) * 10000), toInt64(sum(cpa_spend + rs_spend) * 10000), toInt64(countIf(previous_day < {from1:Date}))] as n, toInt64(0) as n_entered_spend, toInt64(0) as n_placeless_spend, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), count(), 0)) as n_reported_facts, toInt64(if(day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0)), 0, count())) as n_unreported_facts, toInt64(count()) as n_traffic, max(rate_missing) as n_rate_missing
from activity_fact final
where is_deleted = 0
  and partner_id in {scope:Array(UInt32)}
  and (day between {from1:Date} and {to1:Date} and first_deposit_day between {from1:Date} and {to1:Date})
  and advertiser_id not in {p1:Array(UInt32)}
  and offer_id not in {p2:Array(UInt32)}
  and offer_id in (select offer_id from offer_map final where is_deleted = 0 and product_id not in {p3:Array(UInt32)})
  and offer_id in (select offer_id from offer_map final where is_deleted = 0 and payment_model_id not in {p4:Array(UInt32)})
  and partner_id not in {p5:Array(UInt32)}
  and (partner_id not in (select partner_id from partner_map final where is_deleted = 0 and hasAny(partner_group_ids, {p6:Array(UInt32)})) and not (partner_id not in (select partner_id from partner_map final where is_deleted = 0 and notEmpty(partner_group_ids))))
  and (partner_id not in (select partner_id from partner_map final where is_deleted = 0 and hasAny(manager_ids, {p7:Array(UInt32)})) and not (partner_id not in (select partner_id from partner_map final where is_deleted = 0 and notEmpty(manager_ids))))
  and (partner_id not in (select partner_id from partner_map final where is_deleted = 0 and hasAny(partner_tag_ids, {p8:Array(UInt32)})) and not (partner_id not in (select partner_id from partner_map final where is_deleted = 0 and notEmpty(partner_tag_ids))))
  and (offer_partner_id not in (select offer_partner_id from link_map final where is_deleted = 0 and hasAny(offer_partner_tag_ids, {p9:Array(UInt32)})) and not (offer_partner_id not in (select offer_partner_id from link_map final where is_deleted = 0 and notEmpty(offer_partner_tag_ids))))
  and stream_id not in {p10:Array(UInt32)}
  and traffic_source_id not in {p11:Array(UInt32)}
  and landing_id not in {p12:Array(UInt32)}
  and country_id not in {p13:Array(UInt32)}
  and actual_country_id not in {p14:Array(UInt32)}
  and (partner_id, advertiser_id) in (select partner_id, advertiser_id from affiliate_map final where is_deleted = 0 and positionCaseInsensitiveUTF8(toString(affiliate_id), {p15:String}) > 0)
  and positionCaseInsensitiveUTF8(toString(site_id), {p16:String}) > 0
  and positionCaseInsensitiveUTF8(toString(sub_id), {p17:String}) > 0
  and positionCaseInsensitiveUTF8(toString(promocode), {p18:String}) > 0
  and positionCaseInsensitiveUTF8(toString(media_id), {p19:String}) > 0
  and positionCaseInsensitiveUTF8(toString(outer_id), {p20:String}) > 0
  and positionCaseInsensitiveUTF8(toString(click_id), {p21:String}) > 0
  and first_deposit_day between {p22:Date} and {p23:Date}
  and qualification = 'qualified'
group by c_offer, c_traffic_source, day <= transform(advertiser_id, {reporting_advertisers:Array(UInt32)}, {reported_days:Array(Date)}, toDate(0))
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
where place = 1 or place between {p24:UInt64} and {p25:UInt64}
order by place;
-- {"scope":[3,5],"from1":"2026-06-01","to1":"2026-06-30","p1":[0,7],"p2":[0,7],"p3":[0,7],"p4":[0,7],"p5":[0,7],"p6":[0,7],"p7":[0,7],"p8":[0,7],"p9":[0,7],"p10":[0,7],"p11":[0,7],"p12":[0,7],"p13":[0,7],"p14":[0,7],"p15":"x","p16":"x","p17":"x","p18":"x","p19":"x","p20":"x","p21":"x","p22":"2026-01-01","p23":"2026-06-30","reporting_advertisers":[0,1,2],"reported_days":["2149-06-06","2026-06-20","2026-06-21"],"most_groups":200000,"p24":2,"p25":21}

-- nothing to ask

-- nothing to ask
