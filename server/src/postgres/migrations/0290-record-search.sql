-- The search over all records: names by trigrams, which forgive typing errors; ids of players by their beginning.
create index partner_title_search_idx on partner using gin (lower(title) gin_trgm_ops);
create index offer_title_search_idx on offer using gin (lower(title) gin_trgm_ops);
create index advertiser_title_search_idx on advertiser using gin (lower(title) gin_trgm_ops);
create index user_full_name_search_idx on "user" using gin (lower(full_name) gin_trgm_ops);
create index user_email_search_idx on "user" using gin (lower(email::text) gin_trgm_ops);

-- Immutable because the items are text already.
create function promo_codes_text(codes text[]) returns text language sql immutable parallel safe strict
  return lower(array_to_string(codes, ' '));
create index offer_partner_promo_codes_search_idx on offer_partner using gin (promo_codes_text(promo_codes) gin_trgm_ops);

-- The second serves people who see some partners only: their players are found without reading those of others.
create index player_outer_id_prefix_idx on player (lower(outer_id) text_pattern_ops, id);
create index player_partner_outer_id_prefix_idx on player (partner_id, lower(outer_id) text_pattern_ops);
