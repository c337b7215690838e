-- Players and their events come by hundreds in one statement: what has changed is written down once a statement instead of once a row.
drop trigger facts on player;
drop trigger facts on player_event;

create function write_outbox_of_players() returns trigger language plpgsql as $$
declare
  why text := coalesce(nullif(current_setting('tributary.cause', true), ''), lower(tg_op) || ' ' || tg_table_name);
  who int := nullif(current_setting('tributary.actor', true), '')::int;
  request text := nullif(current_setting('tributary.request', true), '');
begin
  if tg_op = 'UPDATE' then
    -- An approval is told by what was written: the writer's own word would be too wide.
    insert into outbox (kind, key, cause, actor_id, request_id)
    select 'player', now.id, case when before.payment_resolution is distinct from now.payment_resolution then 'approval' else why end,
      who, request
    from changed now join replaced before using (id) order by now.id;
  else
    insert into outbox (kind, key, cause, actor_id, request_id)
    select 'player', id, why, who, request from changed order by id;
  end if;
  return null;
end $$;

create trigger facts_insert after insert on player referencing new table as changed
  for each statement execute function write_outbox_of_players();
create trigger facts_update after update on player referencing new table as changed old table as replaced
  for each statement execute function write_outbox_of_players();
create trigger facts_delete after delete on player referencing old table as changed
  for each statement execute function write_outbox_of_players();

create trigger facts_insert after insert on player_event referencing new table as changed
  for each statement execute function write_outbox_of_entries();
create trigger facts_update after update on player_event referencing new table as changed
  for each statement execute function write_outbox_of_entries();
create trigger facts_delete after delete on player_event referencing old table as changed
  for each statement execute function write_outbox_of_entries();
