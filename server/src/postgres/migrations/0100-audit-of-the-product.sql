-- What the product itself changes on a record (an import, the qualification, a country that becomes known, rows that go with their owner) is in
-- the audit log like a person's change, in the same transaction. The store writes its own entries and says so: set_config('tributary.audited', 'yes', true).

-- A field as the store writes it: moments to the millisecond in UTC, decimals as texts.
create function audit_value(value jsonb, kind text) returns jsonb language sql immutable as $$
  select case
    when kind = 'moment' and value <> 'null' then
      to_jsonb(to_char((value #>> '{}')::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    when kind = 'decimal' and value <> 'null' then to_jsonb(value #>> '{}')
    else value
  end
$$;

-- Arguments: the entity, then its fields: 'field', 'field column', or 'field column kind'. Of an update only what differs is kept.
create function audit_change() returns trigger language plpgsql as $$
declare
  was jsonb := to_jsonb(old);
  now_is jsonb := to_jsonb(new);
  told_was jsonb;
  told_is jsonb;
begin
  if current_setting('tributary.audited', true) = 'yes' and pg_trigger_depth() = 1 then
    return null;
  end if;
  select jsonb_object_agg(name, audit_value(was -> col, kind)), jsonb_object_agg(name, audit_value(now_is -> col, kind))
  into told_was, told_is
  from (
    select split_part(field, ' ', 1) as name, coalesce(nullif(split_part(field, ' ', 2), ''), field) as col,
      split_part(field, ' ', 3) as kind
    from unnest(tg_argv[1:]) as field
  ) as told
  where tg_op <> 'UPDATE' or was -> col is distinct from now_is -> col;
  if told_is is null and told_was is null then
    return null;
  end if;
  insert into audit_log (user_id, action, entity, entity_id, before, after, request_id, cause)
  values (
    nullif(current_setting('tributary.actor', true), '')::int,
    case tg_op when 'INSERT' then 'create' else lower(tg_op) end,
    tg_argv[0],
    coalesce(now_is ->> 'id', was ->> 'id')::bigint,
    case when tg_op <> 'INSERT' then told_was end,
    case when tg_op <> 'DELETE' then told_is end,
    nullif(current_setting('tributary.request', true), ''),
    coalesce(nullif(current_setting('tributary.cause', true), ''), lower(tg_op) || ' ' || tg_argv[0])
  );
  return null;
end $$;

-- That a player registers or deposits is traffic, told by postbacks and report entries; whose player it is and what they count for is a change.
create trigger audit after update of registered_at, actual_country_id, geo_country, offer_partner_id, attribution, qualification, qualified_at,
  payment_resolution, active on player for each row
  when (row(old.registered_at, old.actual_country_id, old.geo_country, old.offer_partner_id, old.attribution, old.qualification, old.qualified_at,
      old.payment_resolution, old.active)
    is distinct from row(new.registered_at, new.actual_country_id, new.geo_country, new.offer_partner_id, new.attribution, new.qualification,
      new.qualified_at, new.payment_resolution, new.active))
  execute function audit_change('player', 'registered_at registered_at moment', 'actual_country actual_country_id', 'geo_country',
    'offer_partner offer_partner_id', 'offer offer_id', 'partner partner_id', 'stream stream_id', 'traffic_source traffic_source_id',
    'landing landing_id', 'click_id', 'site_id', 'sub_id', 'promocode', 'media_id', 'attribution', 'qualification', 'qualified_at',
    'payment_resolution', 'active');

-- Reports are read again by the hundred thousand.
create function audit_changed_entries() returns trigger language plpgsql as $$
begin
  if current_setting('tributary.audited', true) = 'yes' and pg_trigger_depth() = 1 then
    return null;
  end if;
  insert into audit_log (user_id, action, entity, entity_id, before, after, request_id, cause)
  select nullif(current_setting('tributary.actor', true), '')::int, 'update', 'player_report', a.id,
    jsonb_build_object('first_day_amount', a.first_day_amount::text, 'deposits_count', a.deposits_count, 'deposits', a.deposits::text,
      'bets', a.bets::text, 'bonus', a.bonus::text, 'commission', a.commission::text, 'total_commission', a.total_commission::text,
      'income', a.income::text, 'currency', a.currency_id, 'report', a.report_id),
    jsonb_build_object('first_day_amount', b.first_day_amount::text, 'deposits_count', b.deposits_count, 'deposits', b.deposits::text,
      'bets', b.bets::text, 'bonus', b.bonus::text, 'commission', b.commission::text, 'total_commission', b.total_commission::text,
      'income', b.income::text, 'currency', b.currency_id, 'report', b.report_id),
    nullif(current_setting('tributary.request', true), ''), coalesce(nullif(current_setting('tributary.cause', true), ''), 'update player_report')
  from was a join became b on b.id = a.id
  where row(a.first_day_amount, a.deposits_count, a.deposits, a.bets, a.bonus, a.commission, a.total_commission, a.income, a.currency_id, a.report_id)
    is distinct from row(b.first_day_amount, b.deposits_count, b.deposits, b.bets, b.bonus, b.commission, b.total_commission, b.income,
      b.currency_id, b.report_id);
  return null;
end $$;
create trigger audit after update on player_report referencing old table as was new table as became
  for each statement execute function audit_changed_entries();

-- How far its reading has come is no change of a report; how it ended is.
create trigger audit_insert after insert on report for each row
  execute function audit_change('report', 'type', 'file_name', 'advertiser advertiser_id', 'update_registrations', 'requested_by requested_by_id');
create trigger audit_update after update of status, requested_by_id on report for each row
  when ((old.status is distinct from new.status and new.status in ('success', 'warnings', 'failed', 'cancelled'))
    or old.requested_by_id is distinct from new.requested_by_id)
  execute function audit_change('report', 'status', 'error', 'rows', 'warnings', 'players_added', 'entries_added', 'entries_changed',
    'period_from', 'period_to', 'requested_by requested_by_id');

create trigger audit_insert after insert on players_report_api for each row
  execute function audit_change('players_report_api', 'report_date', 'advertiser advertiser_id', 'requested_site_ids', 'status');
create trigger audit_update after update of status, report_id on players_report_api for each row
  when ((old.status is distinct from new.status and new.status <> 'processing') or old.report_id is distinct from new.report_id)
  execute function audit_change('players_report_api', 'status', 'warnings', 'original_response', 'report report_id');

-- The first person of an installation; keys, also those that go with their owner.
create trigger audit after insert on "user" for each row
  execute function audit_change('user', 'full_name', 'email', 'enabled', 'role role_id', 'partner partner_id');
create trigger audit after insert or delete on api_key for each row
  execute function audit_change('api_key', 'id', 'title', 'user user_id', 'prefix', 'expires_at expires_at moment', 'active');
