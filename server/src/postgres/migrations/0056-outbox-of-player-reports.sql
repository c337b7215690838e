-- Entries come by hundreds of thousands in one statement: what has changed is written down once a statement instead of once a row.
drop trigger facts on player_report;

create function write_outbox_of_entries() returns trigger language plpgsql as $$
begin
  insert into outbox (kind, key, cause, actor_id, request_id)
  select 'player', player_id,
    coalesce(nullif(current_setting('tributary.cause', true), ''), lower(tg_op) || ' ' || tg_table_name),
    nullif(current_setting('tributary.actor', true), '')::int,
    nullif(current_setting('tributary.request', true), '')
  from (select distinct player_id from changed order by player_id) as touched;
  return null;
end $$;

create trigger facts_insert after insert on player_report referencing new table as changed
  for each statement execute function write_outbox_of_entries();
create trigger facts_update after update on player_report referencing new table as changed
  for each statement execute function write_outbox_of_entries();
create trigger facts_delete after delete on player_report referencing old table as changed
  for each statement execute function write_outbox_of_entries();
