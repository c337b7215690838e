-- Every attempt to tell a partner, why a postback came to what it came to, and a queue that is read host by host.
alter table postback
  drop constraint postback_status_check,
  add constraint postback_status_check
    check (status in ('accepted', 'duplicate', 'refused', 'sent', 'failed', 'pending', 'skipped')),
  add column reason text,
  -- Failed attempts since it was last (re)sent: the place in the schedule of retries.
  add column step int not null default 0,
  add column host text generated always as (coalesce(substring(lower(url) from '^https?://([^/?#]+)'), '')) stored;

create table postback_attempt (
  postback_id bigint not null references postback on delete cascade,
  number int not null,
  at timestamptz not null,
  method text not null,
  url text not null,
  code int,
  response text,
  error text,
  duration_ms int not null,
  primary key (postback_id, number)
);

drop index postback_pending_idx;
create index postback_pending_idx on postback (host, next_attempt_at) where status = 'pending';
create index postback_player_id_idx on postback (player_id) where player_id is not null;
create index player_event_transaction_id_idx on player_event (transaction_id) where transaction_id is not null;

alter table partner_postback_url add column signed boolean not null default false;
