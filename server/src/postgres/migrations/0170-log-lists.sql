-- Logs are read from the latest moment back, also those of one partner or partner offer: with the id in the index, deep pages need no row.
drop index postback_partner_id_idx;
create index postback_partner_id_idx on postback (partner_id, created_at desc, id desc);
drop index click_rejection_partner_id_idx;
create index click_rejection_partner_id_idx on click_rejection (partner_id, created_at desc, id desc);
drop index click_rejection_offer_partner_id_idx;
create index click_rejection_offer_partner_id_idx on click_rejection (offer_partner_id, created_at desc, id desc);
