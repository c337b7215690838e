-- Links by the hundred thousand: each filter and sort of their list reads an index alone to count, and the first rows of one to show a page.
-- Links are made by hand, so that the price of writing matters little.
drop index offer_partner_offer_id_idx;
create index offer_partner_offer_id_idx on offer_partner (offer_id, id) include (active, state);
drop index offer_partner_stream_id_idx;
create index offer_partner_stream_id_idx on offer_partner (stream_id, id) include (active, state);
drop index offer_partner_traffic_source_id_idx;
create index offer_partner_traffic_source_id_idx on offer_partner (traffic_source_id, id) include (active, state);
create index offer_partner_partner_id_idx on offer_partner (partner_id, id) include (active, state);
create index offer_partner_currency_id_idx on offer_partner (currency_id, id) include (active, state);
create index offer_partner_active_idx on offer_partner (active, id) include (state);
create index offer_partner_state_idx on offer_partner (state, id) include (active);

-- Parts of texts are looked for in lower case; shorter ones than three letters by reading the whole index, which therefore holds the text itself.
drop index offer_partner_site_id_idx;
create index offer_partner_site_id_search_idx on offer_partner using gin (lower(site_id) gin_trgm_ops);
create index offer_partner_site_id_order_idx on offer_partner (lower(site_id), id) include (site_id, active, state);
create index offer_partner_site_id_exact_idx on offer_partner (site_id, id) include (active, state);
create index offer_partner_sub_id_search_idx on offer_partner using gin (lower(sub_id) gin_trgm_ops);
create index offer_partner_sub_id_order_idx on offer_partner (lower(sub_id), id) include (sub_id, active, state);
create index offer_partner_sub_id_last_idx on offer_partner (lower(sub_id) desc nulls last, id desc);
create index offer_partner_sub_id_exact_idx on offer_partner (sub_id, id) include (active, state);

create index offer_partner_baseline_order_idx on offer_partner (baseline, id);
create index offer_partner_baseline_last_idx on offer_partner (baseline desc nulls last, id desc);
create index offer_partner_baseline_period_order_idx on offer_partner (baseline_period_days, id);
create index offer_partner_baseline_period_last_idx on offer_partner (baseline_period_days desc nulls last, id desc);
create index offer_partner_max_days_order_idx on offer_partner (max_days_from_registration, id);
create index offer_partner_max_days_last_idx on offer_partner (max_days_from_registration desc nulls last, id desc);
create index offer_partner_bet_requirement_order_idx on offer_partner (bet_requirement, id);
create index offer_partner_bet_requirement_last_idx on offer_partner (bet_requirement desc nulls last, id desc);
create index offer_partner_country_requirement_idx on offer_partner (country_requirement, id);
create index offer_partner_template_order_idx on offer_partner (lower(left(advertiser_link_template, 200)), id);
create index offer_partner_template_last_idx on offer_partner (lower(left(advertiser_link_template, 200)) desc nulls last, id desc);
create index offer_partner_created_at_idx on offer_partner (created_at, id);
create index offer_partner_updated_at_idx on offer_partner (updated_at, id);

create index offer_partner_landing_order_idx on offer_partner_landing (landing_id, offer_partner_id);
drop index offer_partner_landing_landing_id_idx;
create index offer_partner_offer_partner_tag_order_idx on offer_partner_offer_partner_tag (offer_partner_tag_id, offer_partner_id);
drop index offer_partner_offer_partner_tag_tag_idx;
