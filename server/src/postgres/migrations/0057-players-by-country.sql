-- What advertisers call a country is matched to the country also when its name becomes known later.
create index player_unmatched_country_idx on player (lower(geo_country)) where actual_country_id is null and geo_country is not null;

create function match_players_to_country() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'country' then
    update player set actual_country_id = new.id
    where actual_country_id is null and lower(geo_country) in (lower(new.title), lower(new.code));
  elsif new.active then
    update player set actual_country_id = new.country_id
    where actual_country_id is null and lower(geo_country) = lower(new.title);
  end if;
  return null;
end $$;
create trigger match_players after insert or update of title, code on country
  for each row execute function match_players_to_country();
create trigger match_players after insert or update of title, country_id, active on country_mapping
  for each row execute function match_players_to_country();

-- The look-ups of what players came with go from one value to the next.
create index player_geo_country_idx on player (geo_country) where geo_country is not null;
create index player_promocode_value_idx on player (promocode) where promocode is not null;
