-- Spends come by the thousand in one statement and refer to few rows: their references are checked once per statement, as those of players are.
alter table partner_spend
  drop constraint partner_spend_stream_id_fkey,
  drop constraint partner_spend_country_id_fkey,
  drop constraint partner_spend_currency_id_fkey,
  drop constraint partner_spend_offer_partner_id_fkey;
create trigger references_insert after insert on partner_spend referencing new table as changed
  for each statement execute function check_references('stream_id partner_stream', 'country_id country', 'currency_id currency',
    'offer_partner_id offer_partner');
create trigger references_update after update on partner_spend referencing new table as changed old table as replaced
  for each statement execute function check_references('stream_id partner_stream', 'country_id country', 'currency_id currency',
    'offer_partner_id offer_partner');

create trigger referred_by_spends after delete on partner_stream for each row execute function refuse_referred('partner_spend stream_id');
create trigger referred_by_spends after delete on country for each row execute function refuse_referred('partner_spend country_id');
create trigger referred_by_spends after delete on currency for each row execute function refuse_referred('partner_spend currency_id');
create trigger referred_by_spends after delete on offer_partner for each row execute function refuse_referred('partner_spend offer_partner_id');
