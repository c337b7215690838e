// Reads the rows of the partner offer index from PostgreSQL: all rows, or those of some ids.

import type { Pool, QueryResultRow } from 'pg'

/** Null means all rows. */
export type Ids = readonly number[] | null

export interface OfferPartnerRow {
  id: number
  uuid: string
  offer_id: number
  partner_id: number
  stream_id: number
  traffic_source_id: number
  site_id: string
  sub_id: string | null
  promo_codes: string[]
  landings: number[]
  advertiser_link_template: string | null
  state: string
  active: boolean
}

export interface StateRow {
  id: number
  state: string
  active: boolean
}

export interface OfferRow extends StateRow {
  advertiser_id: number
  advertiser_country_id: number
}

export interface AdvertiserRow {
  id: number
  active: boolean
  default_domain: string
  media_id: string | null
  presences: { id: number; country_id: number; code: string; domain: string | null; media_id: string | null }[]
  allowed_landings: number[]
  default_landings: { country_id: number | null; landing_id: number }[]
}

export interface LandingRow {
  id: number
  value: string
  active: boolean
}

export interface StreamRow {
  id: number
  title: string
}

/** The selects for `readRows`. */
export const SELECTS = {
  offerPartners: `select id, uuid, offer_id, partner_id, stream_id, traffic_source_id, site_id, sub_id, promo_codes,
    array(select landing_id from offer_partner_landing l where l.offer_partner_id = o.id order by landing_id) as landings,
    advertiser_link_template, state, active from offer_partner o`,
  offers: 'select id, state, active, advertiser_id, advertiser_country_id from offer',
  partners: 'select id, state, active from partner',
  streams: 'select id, title from partner_stream',
  landings: 'select id, value, active from landing',
  advertisers: `select id, active, default_domain, media_id,
    coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'country_id', p.country_id, 'code', c.code,
        'domain', case when p.active then p.domain end, 'media_id', p.media_id))
      from advertiser_country p join country c on c.id = p.country_id where p.advertiser_id = a.id), '[]') as presences,
    array(select landing_id from advertiser_landing l where l.advertiser_id = a.id) as allowed_landings,
    coalesce((select jsonb_agg(jsonb_build_object('country_id', country_id, 'landing_id', landing_id))
      from default_landing d where d.advertiser_id = a.id and d.active), '[]') as default_landings
    from advertiser a`,
} as const

export async function readRows<R extends QueryResultRow>(pool: Pool, select: string, ids: Ids): Promise<R[]> {
  if (ids?.length === 0) return []
  return (await pool.query<R>(`${select} where $1::int[] is null or id = any($1)`, [ids])).rows
}

export async function readOfferPartnerPage(pool: Pool, after: number, limit: number): Promise<OfferPartnerRow[]> {
  const page = `${SELECTS.offerPartners} where id > $1 order by id limit $2`
  return (await pool.query<OfferPartnerRow>(page, [after, limit])).rows
}

/** Advertisers with a presence in these countries. Their rows contain fields of the country, so they change with it. */
export async function findAdvertisersIn(pool: Pool, countries: readonly number[]): Promise<number[]> {
  const sql = 'select distinct advertiser_id from advertiser_country where country_id = any($1)'
  return (await pool.query<{ advertiser_id: number }>(sql, [countries])).rows.map((row) => row.advertiser_id)
}

export async function readUniquenessHours(pool: Pool): Promise<number> {
  return (
    (await pool.query<{ uniqueness_hours: number }>('select uniqueness_hours from setting')).rows[0]
      ?.uniqueness_hours ?? 24
  )
}
