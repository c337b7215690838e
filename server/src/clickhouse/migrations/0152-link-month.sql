-- Sums of whole months of all sources in one table, a row for each source, month and link: what was two sub-selects of a report is one, and planning
-- it costs half. Columns of the other sources are empty. Sums are made again by the worker; which runs hold is forgotten first.
truncate table if exists month_run{{on_cluster}};

drop table if exists click_month{{on_cluster}} sync;

drop table if exists activity_month{{on_cluster}} sync;

create table if not exists link_month{{on_cluster}} (
  source LowCardinality(String),
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
  is_click UInt64,
  is_unique UInt64,
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
  spends UInt64,
  sum Decimal(38, 4),
  rate_missing UInt8,
  days Array(Date),
  bet_days Array(Date)
) engine = {{replicated}}MergeTree
partition by toYear(day)
order by (day, partner_id, offer_partner_id)
settings index_granularity = 1024, min_compress_block_size = 8192, max_compress_block_size = 16384,
  min_bytes_for_wide_part = 1000000000, min_rows_for_wide_part = 100000000,
  min_age_to_force_merge_seconds = 600, min_age_to_force_merge_on_partition_only = 1;
