-- Why a fact changed, told by what was written where the writer's own word would be too wide: an approval is an update of a player, an edit
-- of a history one of its link, a re-read report one of the player's days.
create or replace function write_outbox() returns trigger language plpgsql as $$
declare
  line record;
  why text := coalesce(nullif(current_setting('tributary.cause', true), ''), lower(tg_op) || ' ' || tg_table_name);
begin
  if tg_op = 'DELETE' then line := old; else line := new; end if;
  if tg_table_name like 'offer_partner_%_history' then
    why := 'history';
  elsif tg_table_name = 'player_report' then
    why := 'report';
  elsif tg_table_name = 'player' and tg_op = 'UPDATE' then
    if (to_jsonb(old) -> 'payment_resolution') is distinct from (to_jsonb(new) -> 'payment_resolution') then
      why := 'approval';
    end if;
  end if;
  insert into outbox (kind, key, cause, actor_id, request_id)
  values (
    tg_argv[0],
    (to_jsonb(line) ->> tg_argv[1])::bigint,
    why,
    nullif(current_setting('tributary.actor', true), '')::int,
    nullif(current_setting('tributary.request', true), '')
  );
  return null;
end $$;
