-- Third parties: where each is, with which credential (sealed), and how the last calls went.
create table integration (
  name text primary key,
  base_url text,
  credential bytea,
  last_success_at timestamptz,
  last_error_at timestamptz,
  last_error text,
  -- Failures since the last success: after some the service is left alone for a while.
  failures int not null default 0,
  -- The latest business day that was asked for by the clock.
  asked_day date,
  updated_at timestamptz not null default now()
);
