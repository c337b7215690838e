// A little network to send traffic to: two advertisers, two partners, three links. Ids are fixed by the order of the inserts.

import { randomUUID } from 'node:crypto'

export const LINK = '0b0e0b0e-0000-4000-8000-000000000001'
export const OTHER_LINK = '0b0e0b0e-0000-4000-8000-000000000002'
/** Of the second advertiser. */
export const FOREIGN_LINK = '0b0e0b0e-0000-4000-8000-000000000003'
export const MAIN_POSTBACK = 'aaaaaaaa-0000-4000-8000-000000000001'
export const EXTRA_POSTBACK = 'aaaaaaaa-0000-4000-8000-000000000002'
export const FOREIGN_POSTBACK = 'aaaaaaaa-0000-4000-8000-000000000003'

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'

export async function makeNetwork(record: { query(sql: string): Promise<unknown> }): Promise<void> {
  await record.query(`
    insert into currency (title, value) values ('Euro', 'EUR'), ('US dollar', 'USD');
    insert into country (title, code, currency_id) values ('Ukraine', 'UA', 1), ('Germany', 'DE', 1);
    insert into country_mapping (country_id, title) values (2, 'Deutschland');
    insert into traffic_source (title) values ('Facebook'), ('TikTok');
    insert into landing (title, value) values ('Welcome', 'welcome'), ('Bonus', 'bonus'), ('Wheel', 'wheel'), ('For all', 'all');
    insert into advertiser (title, default_domain, media_id, default_currency_id) values
      ('First', 'https://first.example', '55', 1), ('Second', 'https://second.example', null, 1);
    insert into advertiser_country (advertiser_id, country_id, domain, media_id) values (1, 1, 'https://ua.first.example', '77'), (2, 2, null, null);
    insert into advertiser_landing values (1, 1), (1, 2);
    insert into default_landing (advertiser_id, country_id, landing_id) values (1, 1, 1), (1, null, 4);
    insert into offer (title, advertiser_id, advertiser_country_id, payment_model_id, currency_id, cost, state) values
      ('Ukraine CPA', 1, 1, 1, 1, 50, 'approved'), ('Germany CPA', 2, 2, 1, 1, 60, 'approved');
    insert into partner (title, state) values ('Alpha', 'approved'), ('Beta', 'approved');
    insert into partner_stream (partner_id, title) values (1, 'alpha one'), (2, 'beta one');
    insert into offer_partner (uuid, offer_id, partner_id, stream_id, traffic_source_id, site_id, sub_id, promo_codes, currency_id, state) values
      ('${LINK}', 1, 1, 1, 1, 'alpha-site', null, '{ALPHA,ALPHA2}', 1, 'approved'),
      ('${OTHER_LINK}', 1, 2, 2, 2, 'beta-site', 'beta-sub', '{BETA}', 1, 'approved'),
      ('${FOREIGN_LINK}', 2, 2, 2, 2, 'gamma-site', null, '{}', 1, 'approved');
    insert into offer_partner_postback (offer_partner_id, uuid, kind) values
      (1, '${MAIN_POSTBACK}', 'main'), (1, '${EXTRA_POSTBACK}', 'extra'), (3, '${FOREIGN_POSTBACK}', 'main');
  `)
}

/** Follows no redirect; the click id is read from the address that the visitor is sent to. */
export async function visit(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; target: string; clickId: string; text: string; headers: Headers }> {
  const response = await fetch(`${url}${path}`, { redirect: 'manual', headers: { 'user-agent': CHROME, ...headers } })
  const target = response.headers.get('location') ?? ''
  const clickId = target === '' ? '' : (new URL(target).searchParams.get('click_id') ?? '')
  return { status: response.status, target, clickId, text: await response.text(), headers: response.headers }
}

/** An address of which no other test has heard. */
export const someAddress = (): string => {
  const [a, b, c] = Buffer.from(randomUUID().replaceAll('-', ''), 'hex')
  return `81.${a}.${b}.${c}`
}
