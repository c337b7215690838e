-- Entered spend lies by month and partner: a partner's is read alone, and whether a month has changed can be told. A spend that moves to another day
-- or partner leaves a deleted row where it was: parts are left out by their days before their rows replace each other. Each statement can be run again: the copy begins anew until it has taken the table's place.
drop table if exists spend_fact_by_month{{on_cluster}} sync;

create table spend_fact_by_month{{on_cluster}} (
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
  index spend_range spend_id type minmax
) engine = {{replicated}}ReplacingMergeTree(version)
partition by toYYYYMM(day)
order by (toYYYYMM(day), partner_id, day, spend_id)
settings index_granularity = 2048, min_age_to_force_merge_seconds = 600, min_age_to_force_merge_on_partition_only = 1;

insert into spend_fact_by_month (spend_id, version, is_deleted, day, offer_partner_id, offer_id, partner_id, advertiser_id, stream_id,
  traffic_source_id, country_id, site_id, sub_id, media_id, currency_id, base_original, base, sum, rate_missing, hash)
settings max_partitions_per_insert_block = 10000
select spend_id, version, is_deleted, day, offer_partner_id, offer_id, partner_id, advertiser_id, stream_id,
  traffic_source_id, country_id, site_id, sub_id, media_id, currency_id, base_original, base, sum, rate_missing, hash
from spend_fact final where is_deleted = 0;

exchange tables spend_fact and spend_fact_by_month{{on_cluster}};

drop table if exists spend_fact_by_month{{on_cluster}} sync;
