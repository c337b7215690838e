-- Months of spends are saved by the thousand in one statement. What that cost beside the rows themselves is cut: the check of references compared
-- each row with all others by text, each entry of the audit log asked for its user anew, and every entry was indexed by its action.

-- Arguments: 'column table' of each reference. Of an update only what the row did not refer to before it is asked for.
create or replace function check_references() returns trigger language plpgsql as $$
declare
  pairs text;
  told text;
  asked record;
  own text;
  referred text;
  found_rows bigint;
begin
  -- What is written in one statement, new or not, comes here twice.
  perform from changed limit 1;
  if not found then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    select string_agg(format('(%s, r.%2$I::bigint, o.%2$I::bigint)', place, split_part(pair, ' ', 1)), ', ')
      into pairs from unnest(tg_argv[0:]) with ordinality as t (pair, place);
    told := 'from changed r join replaced o on o.id = r.id cross join lateral (values ' || pairs
      || ') as v (place, id, was) where v.id is not null and v.id is distinct from v.was';
  else
    select string_agg(format('(%s, r.%I::bigint)', place, split_part(pair, ' ', 1)), ', ')
      into pairs from unnest(tg_argv[0:]) with ordinality as t (pair, place);
    told := 'from changed r cross join lateral (values ' || pairs || ') as v (place, id) where v.id is not null';
  end if;
  for asked in execute 'select place, array_agg(id) as ids from (select distinct v.place, v.id ' || told || ') new_ones group by place'
  loop
    own := split_part(tg_argv[asked.place - 1], ' ', 1);
    referred := split_part(tg_argv[asked.place - 1], ' ', 2);
    execute format('select count(*) from (select from %I where id = any($1) for key share) kept', referred) into found_rows using asked.ids;
    if found_rows < cardinality(asked.ids) then
      raise foreign_key_violation using table = tg_table_name, constraint = format('%s_%s_fkey', tg_table_name, own),
        message = format('insert or update on table "%s" refers by %s to a row of %s that is not there', tg_table_name, own, referred);
    end if;
  end loop;
  return null;
end $$;

-- The user of an entry is the person who is signed in; a user with entries still cannot be deleted.
alter table audit_log drop constraint audit_log_user_id_fkey;
create trigger referred_by_audit after delete on "user" for each row execute function refuse_referred('audit_log user_id');

-- New entries are the latest: an ascending index takes them at its end and fills its pages; it is read backwards for the latest first.
drop index audit_log_entity_idx, audit_log_of_idx, audit_log_at_idx, audit_log_user_id_idx, audit_log_action_idx, audit_log_kind_idx,
  audit_log_entity_id_idx, audit_log_created_at_idx;
create index audit_log_entity_idx on audit_log (entity, entity_id, id);
create index audit_log_of_idx on audit_log (of_entity, of_id, id) where of_id is not null;
create index audit_log_at_idx on audit_log (at, id);
create index audit_log_user_id_idx on audit_log (user_id, at, id);
create index audit_log_kind_idx on audit_log (entity, at, id);
create index audit_log_entity_id_idx on audit_log (entity_id, at, id);
create index audit_log_created_at_idx on audit_log (created_at, id);
-- Most entries create or change: they are found by their moment.
create index audit_log_action_idx on audit_log (action, at, id) where action not in ('create', 'update');
