-- How long what grows with traffic is kept, in months; null: for ever.
alter table setting
  add column click_months int check (click_months between 3 and 1200),
  add column postback_months int check (postback_months between 3 and 1200),
  add column attempt_months int check (attempt_months between 1 and 1200),
  add column audit_months int check (audit_months between 12 and 1200),
  add column fact_log_months int check (fact_log_months between 3 and 1200);

-- Months whose clicks are deleted, or are about to be: click_day has their sums by day under `run`.
create table deleted_clicks (
  month text primary key,
  run bigint not null,
  -- The sums of earlier deletions of the month, which `run` includes; null if there were none, or they are not needed any more.
  base_run bigint,
  -- The clicks that the month had when the sums were made.
  clicks bigint not null,
  begun_at timestamptz not null default now(),
  -- Null while the clicks may still be there.
  dropped_at timestamptz
);
