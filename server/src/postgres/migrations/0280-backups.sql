-- Requested back-ups with their outcome. The server that writes facts makes them one at a time.
create table backup (
  id int generated always as identity primary key,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  reason text not null,
  target text not null,
  requested_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  -- The moment that a restore leads back to.
  moment timestamptz,
  manifest text,
  objects int,
  bytes bigint,
  new_bytes bigint,
  pause_ms int,
  error text
);
create index backup_state on backup (state) where state in ('waiting', 'running');

-- A restored copy sends nothing to others until an admin allows it.
alter table setting
  add column sending_held boolean not null default false,
  add column backup_time text not null default '01:30',
  add column backup_days int not null default 14;
