-- Sums of clicks by day, for months whose clicks are deleted. Columns are named as in `click`. PostgreSQL's deleted_clicks says which run counts.
create table if not exists click_day{{on_cluster}} (
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
partition by (toYYYYMM(day), run)
order by (day, partner_id, offer_partner_id);
