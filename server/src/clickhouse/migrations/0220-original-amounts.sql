-- What is owed, in the currency of the term. Existing rows get their amounts by a rebuild.
alter table activity_fact{{on_cluster}} add column if not exists cpa_original Decimal(18, 4), add column if not exists cpa_currency_id UInt32,
  add column if not exists income_original Decimal(18, 4), add column if not exists income_currency_id UInt32,
  add column if not exists rs_rate Decimal(18, 4), add column if not exists rs_original Decimal(18, 4);

alter table activity_fact_log{{on_cluster}} add column if not exists cpa_original Decimal(18, 4), add column if not exists cpa_currency_id UInt32,
  add column if not exists income_original Decimal(18, 4), add column if not exists income_currency_id UInt32,
  add column if not exists rs_rate Decimal(18, 4), add column if not exists rs_original Decimal(18, 4);

alter table spend_fact{{on_cluster}} add column if not exists is_agency UInt8, add column if not exists agency_rate Decimal(18, 4),
  add column if not exists sum_original Decimal(18, 4);

alter table spend_fact_log{{on_cluster}} add column if not exists is_agency UInt8, add column if not exists agency_rate Decimal(18, 4),
  add column if not exists sum_original Decimal(18, 4);
