-- What the list of clicks is filtered by, and no roll-up knew: single ids are found without reading the column, kinds of clicks are counted by day.
alter table click{{on_cluster}} add index if not exists partner_click_id_known partner_click_id type bloom_filter(0.01) granularity 1;
alter table click{{on_cluster}} add index if not exists canonical_id_known canonical_id type bloom_filter(0.01) granularity 1;
alter table click{{on_cluster}} add projection if not exists by_day_kind (
  select day, bot, is_click, is_unique, ip_country, count() group by day, bot, is_click, is_unique, ip_country
);
-- In the order of sites: one of them is counted without reading the others.
alter table click{{on_cluster}} add projection if not exists by_site_day (select site_id, day, count() group by site_id, day);
-- For the clicks that are there already; it goes on in the background.
alter table click{{on_cluster}} materialize index partner_click_id_known;
alter table click{{on_cluster}} materialize index canonical_id_known;
alter table click{{on_cluster}} materialize projection by_day_kind;
alter table click{{on_cluster}} materialize projection by_site_day;
