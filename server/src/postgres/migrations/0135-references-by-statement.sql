-- Players and their report entries come by the hundred and by the hundred thousand, and refer to a few dozen rows of the directory. A foreign key
-- asks for each of their references anew: a third of what a postback cost the record. Here each statement asks once for each row that it refers to.
-- The promise is that of a foreign key, and so are errors and their names: what is referred to is there, is kept from being deleted until the
-- transaction ends, and is not deleted while it is referred to.

-- Arguments: 'column table' of each reference. Of an update only what no row referred to before it is asked for.
create function check_references() returns trigger language plpgsql as $$
declare
  pairs text := (
    select string_agg(format('(%L, %L, r.%1$I::bigint)', split_part(pair, ' ', 1), split_part(pair, ' ', 2)), ', ') from unnest(tg_argv[0:]) as pair);
  told text := 'select distinct v.own, v.referred, v.id from %I r cross join lateral (values ' || pairs
    || ') as v (own, referred, id) where v.id is not null';
  asked record;
  found_rows bigint;
begin
  -- What is written in one statement, new or not, comes here twice.
  perform from changed limit 1;
  if not found then
    return null;
  end if;
  for asked in execute 'select own, referred, array_agg(id) as ids from (' || format(told, 'changed')
    || case when tg_op = 'UPDATE' then ' except ' || format(told, 'replaced') else '' end || ') new_ones group by own, referred'
  loop
    execute format('select count(*) from (select from %I where id = any($1) for key share) kept', asked.referred) into found_rows using asked.ids;
    if found_rows < cardinality(asked.ids) then
      raise foreign_key_violation using table = tg_table_name, constraint = format('%s_%s_fkey', tg_table_name, asked.own),
        message = format('insert or update on table "%s" refers by %s to a row of %s that is not there', tg_table_name, asked.own, asked.referred);
    end if;
  end loop;
  return null;
end $$;

-- Arguments: 'table column' of each reference to the row that has been deleted.
create function refuse_referred() returns trigger language plpgsql as $$
declare
  pair text;
  is_referred boolean;
begin
  foreach pair in array tg_argv[0:] loop
    execute format('select exists (select from %I where %I = $1)', split_part(pair, ' ', 1), split_part(pair, ' ', 2)) into is_referred using old.id;
    if is_referred then
      raise foreign_key_violation using table = split_part(pair, ' ', 1), constraint = format('%s_fkey', replace(pair, ' ', '_')),
        message = format('the row of %s is still referred to by %s', tg_table_name, split_part(pair, ' ', 1));
    end if;
  end loop;
  return null;
end $$;

alter table player
  drop constraint player_first_deposit_currency_id_fkey,
  drop constraint player_actual_country_id_fkey,
  drop constraint player_landing_id_fkey,
  drop constraint player_traffic_source_id_fkey,
  drop constraint player_stream_id_fkey,
  drop constraint player_partner_id_fkey,
  drop constraint player_advertiser_id_fkey,
  drop constraint player_offer_id_fkey,
  drop constraint player_offer_partner_id_fkey;
create trigger references_insert after insert on player referencing new table as changed
  for each statement execute function check_references('first_deposit_currency_id currency', 'actual_country_id country', 'landing_id landing',
    'traffic_source_id traffic_source', 'stream_id partner_stream', 'partner_id partner', 'advertiser_id advertiser', 'offer_id offer',
    'offer_partner_id offer_partner');
create trigger references_update after update on player referencing new table as changed old table as replaced
  for each statement execute function check_references('first_deposit_currency_id currency', 'actual_country_id country', 'landing_id landing',
    'traffic_source_id traffic_source', 'stream_id partner_stream', 'partner_id partner', 'advertiser_id advertiser', 'offer_id offer',
    'offer_partner_id offer_partner');

alter table player_report
  drop constraint player_report_player_id_fkey,
  drop constraint player_report_currency_id_fkey,
  drop constraint player_report_report_id_fkey;
create trigger references_insert after insert on player_report referencing new table as changed
  for each statement execute function check_references('player_id player', 'currency_id currency', 'report_id report');
create trigger references_update after update on player_report referencing new table as changed old table as replaced
  for each statement execute function check_references('player_id player', 'currency_id currency', 'report_id report');

create trigger referred after delete on currency for each row
  execute function refuse_referred('player first_deposit_currency_id', 'player_report currency_id');
create trigger referred after delete on country for each row execute function refuse_referred('player actual_country_id');
create trigger referred after delete on landing for each row execute function refuse_referred('player landing_id');
create trigger referred after delete on traffic_source for each row execute function refuse_referred('player traffic_source_id');
create trigger referred after delete on partner_stream for each row execute function refuse_referred('player stream_id');
create trigger referred after delete on partner for each row execute function refuse_referred('player partner_id');
create trigger referred after delete on advertiser for each row execute function refuse_referred('player advertiser_id');
create trigger referred after delete on offer for each row execute function refuse_referred('player offer_id');
create trigger referred after delete on offer_partner for each row execute function refuse_referred('player offer_partner_id');
create trigger referred after delete on player for each row execute function refuse_referred('player_report player_id');
create trigger referred after delete on report for each row execute function refuse_referred('player_report report_id');
