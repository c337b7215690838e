-- Sums of a whole month by link, made again when a fact of the month has come later. Columns are named as in the facts they sum up; `day` is
-- the first of the month. bet_days and days hold previous_bet_day and previous_day of each player day: distinct players are counted from them.
create table if not exists click_month{{on_cluster}} (
  run UInt64,
  day Date,
  offer_partner_id UInt32,
  offer_id UInt32,
  partner_id UInt32,
  advertiser_id UInt32,
  landing_id UInt32,
  stream_id UInt32,
  traffic_source_id UInt32,
  country_id UInt32,
  site_id LowCardinality(String),
  is_click UInt64,
  is_unique UInt64
) engine = {{replicated}}MergeTree
partition by run
order by (partner_id, offer_partner_id);

create table if not exists activity_month{{on_cluster}} (
  run UInt64,
  day Date,
  offer_partner_id UInt32,
  offer_id UInt32,
  partner_id UInt32,
  advertiser_id UInt32,
  landing_id UInt32,
  stream_id UInt32,
  traffic_source_id UInt32,
  country_id UInt32,
  actual_country_id UInt32,
  site_id LowCardinality(String),
  rows UInt64,
  registrations UInt64,
  first_deposits UInt64,
  qualified_players UInt64,
  deposits_count UInt64,
  deposits Decimal(38, 4),
  first_amount Decimal(38, 4),
  first_day_amount Decimal(38, 4),
  bets Decimal(38, 4),
  income Decimal(38, 4),
  cpa_spend Decimal(38, 4),
  rs_spend Decimal(38, 4),
  rate_missing UInt8,
  days Array(Date),
  bet_days Array(Date)
) engine = {{replicated}}MergeTree
partition by run
order by (partner_id, offer_partner_id);

-- Which run holds a month, and the state of the month's facts that it was made from: any other state, and the facts themselves are read.
create table if not exists month_run{{on_cluster}} (
  source LowCardinality(String),
  month String,
  run UInt64,
  state String
) engine = {{replicated}}ReplacingMergeTree(run)
order by (source, month);
