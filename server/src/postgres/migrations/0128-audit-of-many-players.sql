-- Players change by the thousand in one statement (a country that becomes known, an import, an approval of all that are filtered): what the audit log
-- says of them is written once a statement instead of once a row. What is told, and of whom, stays as it was.
drop trigger audit on player;

create function audit_changed_players() returns trigger language plpgsql as $$
declare
  who int := nullif(current_setting('tributary.actor', true), '')::int;
  request text := nullif(current_setting('tributary.request', true), '');
  why text := coalesce(nullif(current_setting('tributary.cause', true), ''), 'update player');
begin
  if current_setting('tributary.audited', true) = 'yes' and pg_trigger_depth() = 1 then
    return null;
  end if;
  insert into audit_log (user_id, action, entity, entity_id, before, after, request_id, cause)
  select who, 'update', 'player', b.id, told.before, told.after, request, why
  from was a join became b on b.id = a.id,
  lateral (
    select jsonb_object_agg(name, value_was) as before, jsonb_object_agg(name, value_is) as after
    from (values
      ('registered_at', audit_value(to_jsonb(a.registered_at), 'moment'), audit_value(to_jsonb(b.registered_at), 'moment')),
      ('actual_country', to_jsonb(a.actual_country_id), to_jsonb(b.actual_country_id)),
      ('geo_country', to_jsonb(a.geo_country), to_jsonb(b.geo_country)),
      ('offer_partner', to_jsonb(a.offer_partner_id), to_jsonb(b.offer_partner_id)),
      ('offer', to_jsonb(a.offer_id), to_jsonb(b.offer_id)),
      ('partner', to_jsonb(a.partner_id), to_jsonb(b.partner_id)),
      ('stream', to_jsonb(a.stream_id), to_jsonb(b.stream_id)),
      ('traffic_source', to_jsonb(a.traffic_source_id), to_jsonb(b.traffic_source_id)),
      ('landing', to_jsonb(a.landing_id), to_jsonb(b.landing_id)),
      ('click_id', to_jsonb(a.click_id), to_jsonb(b.click_id)),
      ('site_id', to_jsonb(a.site_id), to_jsonb(b.site_id)),
      ('sub_id', to_jsonb(a.sub_id), to_jsonb(b.sub_id)),
      ('promocode', to_jsonb(a.promocode), to_jsonb(b.promocode)),
      ('media_id', to_jsonb(a.media_id), to_jsonb(b.media_id)),
      ('attribution', to_jsonb(a.attribution), to_jsonb(b.attribution)),
      ('qualification', to_jsonb(a.qualification), to_jsonb(b.qualification)),
      ('qualified_at', to_jsonb(a.qualified_at), to_jsonb(b.qualified_at)),
      ('payment_resolution', to_jsonb(a.payment_resolution), to_jsonb(b.payment_resolution)),
      ('active', to_jsonb(a.active), to_jsonb(b.active))
    ) as field (name, value_was, value_is)
    where value_was is distinct from value_is
  ) as told
  -- That a player registers or deposits is traffic; whose player it is and what they count for is a change.
  where row(a.registered_at, a.actual_country_id, a.geo_country, a.offer_partner_id, a.attribution, a.qualification, a.qualified_at,
      a.payment_resolution, a.active)
    is distinct from row(b.registered_at, b.actual_country_id, b.geo_country, b.offer_partner_id, b.attribution, b.qualification, b.qualified_at,
      b.payment_resolution, b.active) and told.after is not null
  order by b.id;
  return null;
end $$;
-- The plan that is made for a few rows is kept for many: rows before and after must not be set each beside each then.
alter function audit_changed_players() set enable_nestloop = off;

create trigger audit after update on player referencing old table as was new table as became
  for each statement execute function audit_changed_players();
