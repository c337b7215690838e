-- What the offers of a partner's own partner offers name: the rows that a PARTNER sees of directories which the whole network shares.
create view partner_product as
  select own.partner_id, offer.product_id
  from offer_partner as own join offer on offer.id = own.offer_id
  where offer.product_id is not null;

-- A partner offer without landings leads to the default ones of its advertiser.
create view partner_landing as
  select own.partner_id, chosen.landing_id
  from offer_partner as own join offer_partner_landing as chosen on chosen.offer_partner_id = own.id
  union all
  select own.partner_id, fallback.landing_id
  from offer_partner as own join offer on offer.id = own.offer_id
    join advertiser_country as presence on presence.id = offer.advertiser_country_id
    join default_landing as fallback on fallback.advertiser_id = offer.advertiser_id and fallback.active
      and (fallback.country_id is null or fallback.country_id = presence.country_id)
  where not exists (select from offer_partner_landing as chosen where chosen.offer_partner_id = own.id);
