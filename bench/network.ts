// A network of 300 offers and 400 partners, with one partner offer that takes all clicks.

/** The code of its tracking link. */
export const LINK = '0b0e0b0e-0000-4000-8000-000000000001'

export const NETWORK = `
  insert into currency (title, value) values ('Euro', 'EUR');
  update setting set report_currency_id = 1;
  insert into country (title, code, currency_id) values ('Ukraine', 'UA', 1);
  insert into traffic_source (title) values ('Source');
  insert into landing (title, value) values ('Welcome', 'welcome');
  insert into advertiser (title, default_domain, media_id, default_currency_id) values ('Advertiser', 'https://advertiser.example', '55', 1);
  insert into advertiser_country (advertiser_id, country_id, domain, media_id) values (1, 1, 'https://ua.advertiser.example', '77');
  insert into offer (title, advertiser_id, advertiser_country_id, payment_model_id, currency_id, cost, state)
    select 'Offer ' || n, 1, 1, 1, 1, 50, 'approved' from generate_series(1, 300) n;
  insert into partner (title, state) select 'Partner ' || n, 'approved' from generate_series(1, 400) n;
  insert into partner_stream (partner_id, title) select n, 'stream' from generate_series(1, 400) n;
  insert into offer_partner (uuid, offer_id, partner_id, stream_id, traffic_source_id, site_id, currency_id, state)
    values ('${LINK}', 1, 1, 1, 1, 'bench-site', 1, 'approved');
  insert into offer_partner_landing values (1, 1);`
