// Seeds the full size of lists: 100,000 partner offers, and logs of a million lines.

import type { Services } from '../server/src/services.ts'

export const OFFER_PARTNERS = 100_000
export const CHANGES = 1_000_000
export const POSTBACKS = 1_000_000
export const REJECTIONS = 300_000
export const CLICKS = 1_000_000

/** Names are spread by a multiplier, so that no order of the rows is also an order of their values. */
const DIRECTORY = (links: number, changes: number): string[] => [
  `insert into currency (title, value) select 'Currency ' || n, 'C' || n from generate_series(1, 8) as n on conflict do nothing`,
  `insert into country (title, code, currency_id)
    select 'Country ' || n, chr(65 + n / 26) || chr(65 + n % 26), (select min(id) from currency) from generate_series(0, 59) as n`,
  `insert into product (title) select 'Product ' || n from generate_series(1, 12) as n`,
  `insert into advertiser (title, default_domain, default_currency_id, media_id)
    select 'Brand ' || n, 'https://brand' || n || '.test', (select min(id) from currency), 'm' || n from generate_series(1, 50) as n`,
  `insert into advertiser_country (advertiser_id, country_id, media_id) select a.id, c.id, 'm' || a.id || c.id from advertiser as a, country as c`,
  `insert into traffic_source (title) select 'Source ' || n from generate_series(1, 20) as n`,
  `insert into landing (title, value) select 'Landing ' || n, '/l' || n from generate_series(1, 40) as n`,
  `insert into partner (title, state) select 'Partner ' || (n * 7919 % 100003), 'approved' from generate_series(1, 500) as n`,
  `insert into partner_group (title) select 'Group ' || n from generate_series(1, 10) as n`,
  `insert into partner_partner_group (partner_id, partner_group_id)
    select p.id, g.id from partner as p join (select id, row_number() over (order by id) as n from partner_group) as g on g.n = p.id % 10 + 1`,
  `insert into partner_stream (partner_id, title) select p.id, 'Stream ' || n from partner as p, generate_series(1, 12) as n`,
  `insert into offer (title, advertiser_id, advertiser_country_id, payment_model_id, currency_id, cost, state)
    select 'Offer ' || (n * 7919 % 100003), p.advertiser_id, p.id, n % 4 + 1, (select min(id) from currency), n % 300, 'approved'
    from (select id, advertiser_id, row_number() over (order by id) as n from advertiser_country) as p where n <= 3000`,
  `insert into offer_partner (offer_id, partner_id, stream_id, traffic_source_id, site_id, sub_id, currency_id, state, active, baseline,
      baseline_period_days, max_days_from_registration, bet_requirement, country_requirement, advertiser_link_template, created_at)
    select (select min(id) from offer) + n * 7919 % 3000, s.partner_id, s.id, (select min(id) from traffic_source) + n % 20,
      'site-' || n * 7919 % 1000003, case when n % 3 > 0 then 'sub-' || n % 5000 end, (select min(id) from currency) + n % 7,
      case when n % 23 = 0 then 'unapproved' else 'approved' end, n % 11 > 0, case when n % 4 > 0 then n % 200 end,
      case when n % 2 > 0 then n % 60 end, case when n % 7 > 0 then n % 365 end, case when n % 9 > 0 then n % 900 end, n % 6 = 0,
      case when n % 11 = 0 then 'https://brand' || n || '.test/{landing}?click_id={click_id}' end, now() - n * interval '3 minutes'
    from generate_series(1, ${links}) as n
      join (select id, partner_id, row_number() over (order by id) as at from partner_stream) as s on s.at = n % 6000 + 1`,
  `insert into offer_partner_tag (title) select 'Tag ' || n from generate_series(1, 30) as n`,
  `insert into offer_partner_offer_partner_tag (offer_partner_id, offer_partner_tag_id)
    select l.id, (select min(id) from offer_partner_tag) + l.id % 30 from offer_partner as l where l.id % 2 = 0`,
  `insert into offer_partner_landing (offer_partner_id, landing_id)
    select l.id, (select min(id) from landing) + l.id % 40 from offer_partner as l`,
  `insert into "user" (full_name, email, role_id)
    select 'Person ' || n, 'person' || n || '@example.test', (select min(id) from user_role) from generate_series(1, 40) as n`,
  `insert into audit_log (at, user_id, action, entity, entity_id, after, request_id)
    select now() - (${changes} - n) * interval '20 seconds', (select min(id) from "user") + n % 40, (array['create', 'update', 'update', 'update', 'delete'])[n % 5 + 1],
      (array['offer_partner', 'offer', 'partner', 'player', 'landing', 'country'])[n % 6 + 1], n::bigint * 7919 % 120000 + 1,
      '{"title": "what it became"}', md5((n / 3)::text)
    from generate_series(1, ${changes}) as n`,
]

/** Seeds postbacks: a quarter belongs to one partner, and most are inbound, as in real logs. */
const LOGS = (postbacks: number, rejections: number): string[] => [
  `insert into postback (direction, status, event_type, method, click_id, player_outer_id, offer_partner_id, offer_id, partner_id, advertiser_id,
      traffic_source_id, site_id, country, url, response_code, created_at)
    select case when n % 5 > 0 then 'in' else 'out' end, case when n % 5 > 0 then 'accepted' else 'sent' end, (array['reg', 'dep', 'bet'])[n % 3 + 1],
      'GET', md5(n::text), 'player-' || n, l.id, l.offer_id, case when n % 4 = 0 then 1 else l.partner_id end, o.advertiser_id, l.traffic_source_id,
      l.site_id, 'Country ' || n % 60, 'https://tracker.test/postback/' || md5(n::text) || '?event=reg&player_id=' || n, 200,
      now() - (${postbacks} - n) * interval '7 seconds'
    from generate_series(1, ${postbacks}) as n
      join (select *, row_number() over (order by id) as at from offer_partner) as l on l.at = n % (select count(*) from offer_partner) + 1
      join offer as o on o.id = l.offer_id`,
  `insert into click_rejection (reason, offer_partner_id, partner_id, offer_id, url, ip, user_agent, created_at)
    select case when n % 2 = 0 then 'link_inactive' else 'offer_inactive' end, l.id, l.partner_id, l.offer_id, '/c/' || l.uuid,
      '10.0.' || n % 250 || '.' || n % 199, 'Mozilla/5.0 ' || n % 90, now() - (${rejections} - n) * interval '30 seconds'
    from generate_series(1, ${rejections}) as n
      join (select *, row_number() over (order by id) as at from offer_partner) as l on l.at = n % (select count(*) from offer_partner) + 1`,
]

const CLICK_LOG = (
  clicks: number,
): string => `insert into click (id, day, created_at, offer_partner_id, offer_id, partner_id, advertiser_id,
    country_id, is_click, is_unique, site_id, ip, user_agent, url, target)
  select generateUUIDv7(), toDate(created_at), fromUnixTimestamp64Milli(toInt64(toUnixTimestamp(now())) * 1000 - n * 9000, 'UTC') as created_at,
    n % 5000 + 1, n % 300 + 1, n % 500 + 1, n % 50 + 1, n % 60 + 1, 1, n % 4 > 0, concat('site', toString(n % 5000)),
    '10.0.0.1', 'Mozilla/5.0', '/c/x', 'https://a.example/'
  from (select number as n from numbers(${clicks}))`

export async function seedLists({ postgres, clickhouse }: Services, size: number): Promise<void> {
  const of = (full: number): number => Math.round(full * size)
  if (await isEmpty(postgres, 'audit_log where id > 1000'))
    for (const statement of DIRECTORY(of(OFFER_PARTNERS), of(CHANGES))) await postgres.pool.query(statement)
  if (await isEmpty(postgres, 'postback'))
    for (const statement of LOGS(of(POSTBACKS), of(REJECTIONS))) await postgres.pool.query(statement)
  const [{ total } = { total: 0 }] = await clickhouse.query<{ total: number }>('select count() as total from click')
  if (total === 0) await clickhouse.exec(CLICK_LOG(of(CLICKS)), {}, { maxSeconds: 600 })
  await postgres.pool.query('vacuum analyze')
}

const isEmpty = async ({ pool }: Services['postgres'], from: string): Promise<boolean> =>
  (await pool.query(`select from ${from} limit 1`)).rowCount === 0
