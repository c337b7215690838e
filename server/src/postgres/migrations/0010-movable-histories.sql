-- Ranges of a link may be moved together in one save: whether they overlap can be asked when all of them stand where they belong.
do $$
declare
  name text;
begin
  foreach name in array array['cost', 'bl_deposit', 'bl_period', 'bet_requirement', 'max_days'] loop
    name := 'offer_partner_' || name || '_history';
    execute format('alter table %I drop constraint %I', name, name || '_overlap');
    execute format('alter table %I add constraint %I
      exclude using gist (offer_partner_id with =, daterange(date_from, date_to, ''[]'') with &&) deferrable initially immediate',
      name, name || '_overlap');
  end loop;
end $$;
