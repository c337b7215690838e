// When a stream may carry a link: it serves one offer of a country, and one traffic source. Asked by the link's rules and by the form.

import { sql } from 'kysely'
import type { Db } from './acting.ts'

/** `link`: the link being saved itself, which does not stand in its own way. */
export interface StreamUse {
  readonly stream: number
  readonly link: number | null
}

/** True when a link of another offer in the same country already uses the stream. */
export async function isStreamTaken(db: Db, { stream, link, offer }: StreamUse & { offer: number }): Promise<boolean> {
  const statement = sql`select from offer_partner as l
    join offer as o on o.id = l.offer_id join advertiser_country as c on c.id = o.advertiser_country_id
    where l.stream_id = ${stream} and l.active and l.id is distinct from ${link}::int and l.offer_id <> ${offer}
      and c.country_id = (select country_id from advertiser_country join offer on advertiser_country.id = offer.advertiser_country_id where offer.id = ${offer})
    limit 1`
  return (await statement.execute(db)).rows.length > 0
}

/**
 * True when the stream is tied to another traffic source, by itself or by a link that uses it; or when the partner already has a link to
 * the offer with this traffic source.
 */
export async function isTrafficSourceTaken(
  db: Db,
  { stream, link, trafficSource, offer }: StreamUse & { trafficSource: number; offer: number | null },
): Promise<boolean> {
  const statement = sql`
    select from partner_stream where id = ${stream} and traffic_source_id <> ${trafficSource}
    union all
    select from offer_partner where stream_id = ${stream} and active and id is distinct from ${link}::int and traffic_source_id <> ${trafficSource}
    union all
    select from offer_partner where offer_id = ${offer}::int and active and id is distinct from ${link}::int
      and traffic_source_id = ${trafficSource} and partner_id = (select partner_id from partner_stream where id = ${stream})
    limit 1`
  return (await statement.execute(db)).rows.length > 0
}
