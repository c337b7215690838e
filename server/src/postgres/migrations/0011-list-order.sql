-- Lists put rows without a value last and tell equal ones apart by id: the indexes give players in just that order.
drop index player_registered_at_idx;
create index player_registered_at_idx on player (registered_at desc nulls last, id desc);
drop index player_partner_id_idx;
create index player_partner_id_idx on player (partner_id, registered_at desc nulls last, id desc);
-- Any part of what people search players by.
create index player_outer_id_search_idx on player using gin (outer_id gin_trgm_ops);
create index player_site_id_search_idx on player using gin (site_id gin_trgm_ops);
