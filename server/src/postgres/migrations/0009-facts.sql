-- What the projector keeps for itself, and the changes of the record that reach facts by a detour.

-- The rates with which facts were computed last: the difference to currency_rate says from which day on amounts change.
create table facts_rate (
  currency_id int not null,
  date date not null,
  rate numeric(20, 8) not null,
  primary key (currency_id, date)
);

-- People ask for a rebuild here, the server that holds the facts does it and says how far it is.
create table facts_rebuild (
  id int generated always as identity primary key,
  requested_at timestamptz not null default clock_timestamp(),
  reason text not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
  done bigint not null default 0,
  total bigint not null default 0,
  error text,
  finished_at timestamptz
);

create trigger facts after update on setting for each row
  when (old.business_time_zone is distinct from new.business_time_zone
    or old.report_currency_id is distinct from new.report_currency_id
    or old.agency_spend_percentage is distinct from new.agency_spend_percentage)
  execute function write_outbox('setting', 'id');

create trigger facts after update on partner_stream for each row
  when (old.partner_id is distinct from new.partner_id or old.traffic_source_id is distinct from new.traffic_source_id)
  execute function write_outbox('stream', 'id');

create function write_outbox_of_advertiser_country() returns trigger language plpgsql as $$
begin
  insert into outbox (kind, key, cause) select 'offer', id, 'update advertiser_country' from offer where advertiser_country_id = new.id;
  return null;
end $$;
create trigger facts after update on advertiser_country for each row
  when (old.country_id is distinct from new.country_id or old.media_id is distinct from new.media_id)
  execute function write_outbox_of_advertiser_country();
