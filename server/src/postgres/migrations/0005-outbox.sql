-- What has changed since ClickHouse was told. Written by triggers, so that no path can forget it, in the same transaction.
create table outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  key bigint not null,
  cause text not null,
  actor_id int,
  request_id text,
  created_at timestamptz not null default clock_timestamp()
);

-- Arguments: kind, column of the row that holds the key. The cause is set by the writer: set_config('tributary.cause', …, true).
create function write_outbox() returns trigger language plpgsql as $$
declare
  line record;
begin
  if tg_op = 'DELETE' then line := old; else line := new; end if;
  insert into outbox (kind, key, cause, actor_id, request_id)
  values (
    tg_argv[0],
    (to_jsonb(line) ->> tg_argv[1])::bigint,
    coalesce(nullif(current_setting('tributary.cause', true), ''), lower(tg_op) || ' ' || tg_table_name),
    nullif(current_setting('tributary.actor', true), '')::int,
    nullif(current_setting('tributary.request', true), '')
  );
  return null;
end $$;

create trigger facts after insert or update or delete on player for each row execute function write_outbox('player', 'id');
create trigger facts after insert or update or delete on player_event for each row execute function write_outbox('player', 'player_id');
create trigger facts after insert or update or delete on player_report for each row execute function write_outbox('player', 'player_id');
create trigger facts after insert or update or delete on partner_spend for each row execute function write_outbox('spend', 'id');
create trigger facts after insert or update or delete on offer_partner for each row execute function write_outbox('link', 'id');
create trigger facts after insert or update or delete on offer_partner_cost_history for each row execute function write_outbox('link', 'offer_partner_id');
create trigger facts after insert or update or delete on offer_partner_bl_deposit_history for each row execute function write_outbox('link', 'offer_partner_id');
create trigger facts after insert or update or delete on offer_partner_bl_period_history for each row execute function write_outbox('link', 'offer_partner_id');
create trigger facts after insert or update or delete on offer_partner_bet_requirement_history for each row execute function write_outbox('link', 'offer_partner_id');
create trigger facts after insert or update or delete on offer_partner_max_days_history for each row execute function write_outbox('link', 'offer_partner_id');
create trigger facts after insert or update or delete on offer for each row execute function write_outbox('offer', 'id');
create trigger facts after insert or update or delete on payment_model for each row execute function write_outbox('payment_model', 'id');
create trigger facts after insert or update or delete on currency_rate for each row execute function write_outbox('currency', 'currency_id');
create trigger facts after insert or update or delete on partner for each row execute function write_outbox('partner', 'id');
create trigger facts after insert or update or delete on partner_partner_group for each row execute function write_outbox('partner', 'partner_id');
create trigger facts after insert or update or delete on partner_partner_tag for each row execute function write_outbox('partner', 'partner_id');
create trigger facts after insert or update or delete on partner_advertiser_affiliate for each row execute function write_outbox('partner', 'partner_id');
create trigger facts after insert or update or delete on offer_partner_offer_partner_tag for each row execute function write_outbox('link', 'offer_partner_id');

create function write_outbox_of_manager() returns trigger language plpgsql as $$
declare
  line record;
begin
  if tg_op = 'DELETE' then line := old; else line := new; end if;
  insert into outbox (kind, key, cause)
  select 'partner', partner_id, lower(tg_op) || ' partner_group_manager' from partner_partner_group where id = line.partner_partner_group_id;
  return null;
end $$;
create trigger facts after insert or update or delete on partner_group_manager for each row execute function write_outbox_of_manager();

-- Versions of facts only ever grow, whatever the clock does.
create sequence facts_version;

create table facts_progress (
  name text primary key,
  at timestamptz not null,
  detail jsonb not null default '{}'
);
