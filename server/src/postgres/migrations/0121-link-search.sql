-- Parts of texts that are shorter than three letters are looked for in a whole index: in the one that holds them in lower case already. It is
-- chosen only where no smaller one holds all that is asked; whole values are few, and need no more than an index of their own.
drop index offer_partner_site_id_exact_idx;
create index offer_partner_site_id_exact_idx on offer_partner (site_id);
drop index offer_partner_sub_id_exact_idx;
create index offer_partner_sub_id_exact_idx on offer_partner (sub_id);
