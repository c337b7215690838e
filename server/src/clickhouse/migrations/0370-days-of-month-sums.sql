-- The first and last day of what a month sum counts, so that it tells whether its days are reported. Sums are made again by the worker.
alter table link_month{{on_cluster}} add column if not exists first_day Date, add column if not exists last_day Date;

truncate table if exists month_run{{on_cluster}};
