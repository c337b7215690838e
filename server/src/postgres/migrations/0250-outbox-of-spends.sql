-- Spends come by the thousand in one statement (a table that is saved, an import, a sheet): what has changed is written to the outbox once a
-- statement instead of once a row.
drop trigger facts on partner_spend;

create function write_outbox_of_spends() returns trigger language plpgsql as $$
begin
  insert into outbox (kind, key, cause, actor_id, request_id)
  select 'spend', id, coalesce(nullif(current_setting('tributary.cause', true), ''), lower(tg_op) || ' ' || tg_table_name),
    nullif(current_setting('tributary.actor', true), '')::int, nullif(current_setting('tributary.request', true), '')
  from changed order by id;
  return null;
end $$;

create trigger facts_insert after insert on partner_spend referencing new table as changed
  for each statement execute function write_outbox_of_spends();
create trigger facts_update after update on partner_spend referencing new table as changed
  for each statement execute function write_outbox_of_spends();
create trigger facts_delete after delete on partner_spend referencing old table as changed
  for each statement execute function write_outbox_of_spends();
