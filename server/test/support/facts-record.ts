// A small record for tests of facts: currencies, one advertiser, offers of two countries, two partners with streams and partner offers.

import type { Postgres } from '../../src/postgres/client.ts'

export interface FactsRecord {
  readonly eur: number
  readonly usd: number
  /** A currency without a rate. */
  readonly zzz: number
  readonly countries: readonly [number, number]
  readonly advertiser: number
  readonly paymentModels: Readonly<Record<'CPA' | 'RS' | 'CPA_RS' | 'AGENCY', number>>
  readonly partners: readonly [number, number]
  readonly streams: readonly [number, number]
  /** One partner offer per payment model in the first country, in the order CPA, RS, CPA_RS, AGENCY. */
  readonly links: readonly [number, number, number, number]
  readonly offers: readonly [number, number, number, number]
}

type Sql = <T = { id: number }>(text: string, values?: readonly unknown[]) => Promise<T[]>

export function sqlOf(postgres: Postgres): Sql {
  return async <T>(text: string, values: readonly unknown[] = []) =>
    (await postgres.pool.query(text, [...values])).rows as T[]
}

export const MODELS = ['CPA', 'RS', 'CPA_RS', 'AGENCY'] as const

export async function writeFactsRecord(postgres: Postgres): Promise<FactsRecord> {
  const sql = sqlOf(postgres)
  const one = async (text: string, values: readonly unknown[] = []): Promise<number> =>
    (await sql(`${text} returning id`, values))[0]?.id ?? 0
  const currency = (title: string) => one('insert into currency (title, value) values ($1, $1)', [title])
  const [eur, usd, zzz] = [await currency('EUR'), await currency('USD'), await currency('ZZZ')]
  await sql(
    `insert into currency_rate (currency_id, date, rate) values ($1, '2026-01-01', 0.5), ($1, '2026-03-01', 0.8)`,
    [usd],
  )
  await sql('update setting set report_currency_id = $1', [eur])
  const country = (title: string, code: string) =>
    one('insert into country (title, code, currency_id) values ($1, $2, $3)', [title, code, eur])
  const countries = [await country('Ukraine', 'UA'), await country('Poland', 'PL')] as const
  const advertiser = await one(
    `insert into advertiser (title, default_domain, default_currency_id, media_id) values ('A', 'https://a.example', $1, 'm1')`,
    [eur],
  )
  const [inUkraine] = await sql(
    'insert into advertiser_country (advertiser_id, country_id) values ($1, $2) returning id',
    [advertiser, countries[0]],
  )
  const models = await sql<{ id: number; type: string }>('select id, type from payment_model')
  const model = (type: string): number => models.find((row) => row.type === type)?.id ?? 0
  await sql(`update payment_model set cost = 10 where type = 'CPA_RS'`)
  const source = await one(`insert into traffic_source (title) values ('source')`)
  const partner = (title: string) => one(`insert into partner (title, state) values ($1, 'approved')`, [title])
  const partners = [await partner('P1'), await partner('P2')] as const
  const stream = (partnerId: number, title: string) =>
    one('insert into partner_stream (partner_id, title, traffic_source_id) values ($1, $2, $3)', [
      partnerId,
      title,
      source,
    ])
  const streams = [await stream(partners[0], 's1'), await stream(partners[1], 's2')] as const
  const offers: number[] = []
  const links: number[] = []
  for (const [index, type] of MODELS.entries()) {
    const offer = await one(
      `insert into offer (title, advertiser_id, advertiser_country_id, payment_model_id, currency_id, cost, rs_share, state)
        values ($1, $2, $3, $4, $5, $6, $7, 'approved')`,
      [
        `offer ${type}`,
        advertiser,
        inUkraine?.id,
        model(type),
        eur,
        type === 'RS' ? null : 40,
        type === 'RS' ? 40 : null,
      ],
    )
    offers.push(offer)
    links.push(
      await one(
        `insert into offer_partner (offer_id, partner_id, stream_id, traffic_source_id, site_id, currency_id, state, baseline)
          values ($1, $2, $3, $4, $5, $6, 'approved', 50)`,
        [offer, partners[index % 2], streams[index % 2], source, `site${index}`, eur],
      ),
    )
  }
  return {
    eur,
    usd,
    zzz,
    countries,
    advertiser,
    paymentModels: { CPA: model('CPA'), RS: model('RS'), CPA_RS: model('CPA_RS'), AGENCY: model('AGENCY') },
    partners,
    streams,
    links: links as unknown as FactsRecord['links'],
    offers: offers as unknown as FactsRecord['offers'],
  }
}

let outerId = 0

/** A registered player of a partner offer, with its dimensions. */
export async function addPlayer(
  postgres: Postgres,
  link: number,
  registeredAt: string,
  more: Record<string, unknown> = {},
): Promise<number> {
  outerId++
  const values = { outer_id: `outer-${outerId}`, registered_at: registeredAt, attribution: 'click', ...more }
  const names = Object.keys(values)
  const [row] = await sqlOf(postgres)(
    `insert into player (offer_partner_id, offer_id, partner_id, advertiser_id, stream_id, traffic_source_id, site_id, ${names.join(', ')})
      select l.id, l.offer_id, l.partner_id, o.advertiser_id, l.stream_id, l.traffic_source_id, l.site_id, ${names.map((_, index) => `$${index + 2}`).join(', ')}
      from offer_partner l join offer o on o.id = l.offer_id where l.id = $1 returning id`,
    [link, ...Object.values(values)],
  )
  return row?.id ?? 0
}

let identity = 0

export async function addEvent(
  postgres: Postgres,
  player: number,
  type: 'dep' | 'bet',
  at: string,
  amount: number,
  currency: number,
): Promise<void> {
  identity++
  await sqlOf(postgres)(
    'insert into player_event (player_id, type, happened_at, amount, currency_id, identity) values ($1, $2, $3, $4, $5, $6)',
    [player, type, at, amount, currency, `e${identity}`],
  )
}

export async function addReport(
  postgres: Postgres,
  player: number,
  day: string,
  currency: number,
  figures: Record<string, number>,
): Promise<void> {
  const names = Object.keys(figures)
  await sqlOf(postgres)(
    `insert into player_report (player_id, report_date, currency_id, ${names.join(', ')})
      values ($1, $2, $3, ${names.map((_, index) => `$${index + 4}`).join(', ')})
      on conflict (player_id, report_date) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    [player, day, currency, ...Object.values(figures)],
  )
}
