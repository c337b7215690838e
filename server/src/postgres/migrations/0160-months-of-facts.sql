-- Whether the facts of a month have changed since they were summed up. Whoever changes facts in ClickHouse first raises the number of each of
-- their months and leaves a row in fact_write, in one statement; the row goes when ClickHouse has confirmed. A month without a row here has no sums.
create table fact_month (
  source text not null check (source in ('click', 'activity', 'spend')),
  month text not null check (month ~ '^[0-9]{6}$'),
  number bigint not null default 1,
  primary key (source, month)
);

create table fact_write (
  id bigint generated always as identity primary key,
  source text not null,
  months text[] not null,
  begun_at timestamptz not null default clock_timestamp()
);
