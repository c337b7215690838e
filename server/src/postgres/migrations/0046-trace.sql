-- By what people look a player up, beside the advertiser's own ID.
create index player_partner_click_id_idx on player (partner_click_id) where partner_click_id is not null;
create index player_promocode_idx on player (lower(promocode)) where promocode is not null;
