-- A resolution with a reason keeps it as the cause of what it changes.
create or replace function write_outbox_of_players() returns trigger language plpgsql as $$
declare
  why text := coalesce(nullif(current_setting('tributary.cause', true), ''), lower(tg_op) || ' ' || tg_table_name);
  who int := nullif(current_setting('tributary.actor', true), '')::int;
  request text := nullif(current_setting('tributary.request', true), '');
begin
  if tg_op = 'UPDATE' then
    insert into outbox (kind, key, cause, actor_id, request_id)
    select 'player', id,
      case when min(resolution) <> max(resolution) and why not like 'payment resolution: %' then 'approval' else why end, who, request
    from (
      select id, coalesce(payment_resolution, '') as resolution from changed
      union all
      select id, coalesce(payment_resolution, '') from replaced
    ) both_sides
    group by id order by id;
  else
    insert into outbox (kind, key, cause, actor_id, request_id)
    select 'player', id, why, who, request from changed order by id;
  end if;
  return null;
end $$;
