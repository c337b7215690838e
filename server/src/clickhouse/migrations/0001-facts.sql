-- What reports read. 0 = no id, '' = no text, the zero UUID = no click, 1970-01-01 = no day.
-- Money is in the report currency. `day` is the business day, computed by the writer and stored.
create table if not exists click{{on_cluster}} (
  id UUID,
  day Date,
  created_at DateTime64(3, 'UTC') codec(Delta(8), ZSTD(1)),
  offer_partner_id UInt32,
  offer_id UInt32,
  partner_id UInt32,
  advertiser_id UInt32,
  landing_id UInt32,
  stream_id UInt32,
  traffic_source_id UInt32,
  country_id UInt32,
  bot UInt8,
  is_click UInt8,
  is_unique UInt8,
  canonical_id UUID codec(ZSTD(1)),
  site_id LowCardinality(String),
  sub_id String codec(ZSTD(1)),
  sub2 String codec(ZSTD(1)),
  sub3 String codec(ZSTD(1)),
  sub4 String codec(ZSTD(1)),
  sub5 String codec(ZSTD(1)),
  partner_click_id String codec(ZSTD(1)),
  promocode LowCardinality(String),
  media_id LowCardinality(String),
  ip String codec(ZSTD(1)),
  ip_country LowCardinality(String),
  user_agent String codec(ZSTD(1)),
  referrer String codec(ZSTD(1)),
  language LowCardinality(String),
  url String codec(ZSTD(1)),
  target String codec(ZSTD(1)),
  index day_range day type minmax,
  projection by_day_link (
    select day, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id,
      country_id, site_id, count(), sum(is_click), sum(is_unique)
    group by day, offer_partner_id, offer_id, partner_id, advertiser_id, landing_id, stream_id, traffic_source_id,
      country_id, site_id
  )
) engine = {{replicated}}MergeTree
partition by toYYYYMM(day)
order by (created_at, id);

-- One row a player. hash, days and hashes say what was written of the player last: the writer compares with them.
create table if not exists player_fact{{on_cluster}} (
  player_id UInt32,
  version UInt64,
  is_deleted UInt8,
  registered_at DateTime64(3, 'UTC'),
  registered_day Date,
  first_deposit_at DateTime64(3, 'UTC'),
  first_deposit_day Date,
  qualified_day Date,
  qualification Enum8('unqualified' = 0, 'qualified' = 1, 'lost' = 2),
  payment_resolution Enum8('none' = 0, 'approved' = 1, 'not_approved' = 2),
  cpa_spend Decimal(18, 4),
  rate_missing UInt8,
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
  sub_id String codec(ZSTD(1)),
  promocode LowCardinality(String),
  media_id LowCardinality(String),
  ip_country LowCardinality(String),
  geo_country LowCardinality(String),
  outer_id String codec(ZSTD(1)),
  click_id UUID,
  click_day Date,
  hash UInt64,
  days Array(Date) codec(ZSTD(1)),
  hashes Array(UInt64) codec(ZSTD(1)),
  index registered_day_range registered_day type minmax,
  index first_deposit_day_range first_deposit_day type minmax
) engine = {{replicated}}ReplacingMergeTree(version)
partition by intDiv(player_id, 250000)
order by player_id
settings min_age_to_force_merge_seconds = 600, min_age_to_force_merge_on_partition_only = 1;

-- One row for each player and day on which anything of that player counts, with all that reports group and filter by.
-- previous_day and previous_bet_day name the player's row before this one: distinct players of a period are counted without a set.
create table if not exists activity_fact{{on_cluster}} (
  day Date,
  player_id UInt32,
  version UInt64,
  is_deleted UInt8,
  source Enum8('none' = 0, 'postback' = 1, 'report' = 2),
  registrations UInt8,
  first_deposits UInt8,
  qualified_players UInt8,
  deposits_count UInt32,
  deposits Decimal(18, 4),
  first_amount Decimal(18, 4),
  first_day_amount Decimal(18, 4),
  bets Decimal(18, 4),
  income Decimal(18, 4),
  cpa_spend Decimal(18, 4),
  rs_spend Decimal(18, 4),
  rate_missing UInt8,
  previous_day Date,
  previous_bet_day Date,
  registered_day Date,
  first_deposit_day Date,
  qualified_day Date,
  qualification Enum8('unqualified' = 0, 'qualified' = 1, 'lost' = 2),
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
  sub_id String codec(ZSTD(1)),
  promocode LowCardinality(String),
  media_id LowCardinality(String),
  ip_country LowCardinality(String),
  geo_country LowCardinality(String),
  outer_id String codec(ZSTD(1)),
  click_id UUID,
  click_day Date
) engine = {{replicated}}ReplacingMergeTree(version)
partition by toYYYYMM(day)
order by (day, player_id)
settings min_age_to_force_merge_seconds = 600, min_age_to_force_merge_on_partition_only = 1;

-- One row an entered spend, with the link that it belongs to (0: no link carries it).
create table if not exists spend_fact{{on_cluster}} (
  spend_id UInt64,
  version UInt64,
  is_deleted UInt8,
  day Date,
  offer_partner_id UInt32,
  offer_id UInt32,
  partner_id UInt32,
  advertiser_id UInt32,
  stream_id UInt32,
  traffic_source_id UInt32,
  country_id UInt32,
  site_id LowCardinality(String),
  sub_id String codec(ZSTD(1)),
  media_id LowCardinality(String),
  currency_id UInt32,
  base_original Decimal(18, 4),
  base Decimal(18, 4),
  sum Decimal(18, 4),
  rate_missing UInt8,
  hash UInt64,
  index day_range day type minmax
) engine = {{replicated}}ReplacingMergeTree(version)
partition by intDiv(spend_id, 250000)
order by spend_id
settings min_age_to_force_merge_seconds = 600, min_age_to_force_merge_on_partition_only = 1;

-- What hangs on an offer, a partner or a link and may change later without touching a fact.
create table if not exists offer_map{{on_cluster}} (
  offer_id UInt32,
  version UInt64,
  is_deleted UInt8,
  advertiser_id UInt32,
  country_id UInt32,
  payment_model_id UInt32,
  payment_model_type LowCardinality(String),
  product_id UInt32
) engine = {{replicated}}ReplacingMergeTree(version) order by offer_id;

create table if not exists partner_map{{on_cluster}} (
  partner_id UInt32,
  version UInt64,
  is_deleted UInt8,
  main_manager_id UInt32,
  main_partner_group_id UInt32,
  manager_ids Array(UInt32),
  partner_group_ids Array(UInt32),
  partner_tag_ids Array(UInt32)
) engine = {{replicated}}ReplacingMergeTree(version) order by partner_id;

create table if not exists affiliate_map{{on_cluster}} (
  partner_id UInt32,
  advertiser_id UInt32,
  version UInt64,
  is_deleted UInt8,
  affiliate_id String
) engine = {{replicated}}ReplacingMergeTree(version) order by (partner_id, advertiser_id);

create table if not exists link_map{{on_cluster}} (
  offer_partner_id UInt32,
  version UInt64,
  is_deleted UInt8,
  offer_partner_tag_ids Array(UInt32)
) engine = {{replicated}}ReplacingMergeTree(version) order by offer_partner_id;
