// Checks that a stream serves one offer per country and one traffic source. Conflicts name the other partner offer, so that users can find it.

import type { MessageKey } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import type { Fragment } from '../engine/model/model.ts'
import type { Db } from '../engine/model/request-context.ts'

/** `offerPartner`: id of the partner offer being saved, which does not conflict with itself; null for a new one. */
export interface StreamUse {
  readonly stream: number
  readonly offerPartner: number | null
}

/** The conflicting partner offer and its offer's title; both are null if the stream itself has another traffic source. */
export interface StreamConflict {
  readonly offerPartner: number | null
  readonly offer: string | null
  /** The traffic source to which the stream is tied, if that is the conflict. */
  readonly source: string | null
}

/** Active partner offer of another offer in the same country that uses the stream. */
export async function findStreamConflict(
  db: Db,
  { stream, offerPartner, offer }: StreamUse & { offer: number },
): Promise<StreamConflict | undefined> {
  const statement = sql<StreamConflict>`select l.id as "offerPartner", o.title as offer, null::text as source from offer_partner as l
    join offer as o on o.id = l.offer_id join advertiser_country as c on c.id = o.advertiser_country_id
    where l.stream_id = ${stream} and l.active and l.id is distinct from ${offerPartner}::int and l.offer_id <> ${offer}
      and c.country_id = (select country_id from advertiser_country join offer on advertiser_country.id = offer.advertiser_country_id where offer.id = ${offer})
    limit 1`
  return (await statement.execute(db)).rows[0]
}

/** Conflict: stream or one of its partner offers has another traffic source, or the partner already has this offer with this traffic source. */
export async function findSourceConflict(
  db: Db,
  { stream, offerPartner, trafficSource, offer }: StreamUse & { trafficSource: number; offer: number | null },
): Promise<StreamConflict | undefined> {
  const others = (source: Fragment) => sql`select l.id as "offerPartner", o.title as offer, ${source} as source
    from offer_partner as l join offer as o on o.id = l.offer_id join traffic_source as t on t.id = l.traffic_source_id
    where l.active and l.id is distinct from ${offerPartner}::int`
  const statement = sql<StreamConflict>`
    select null::int as "offerPartner", null::text as offer, t.title as source
    from partner_stream as s join traffic_source as t on t.id = s.traffic_source_id
    where s.id = ${stream} and s.traffic_source_id <> ${trafficSource}
    union all
    ${others(sql`t.title`)} and l.stream_id = ${stream} and l.traffic_source_id <> ${trafficSource}
    union all
    ${others(sql`null`)} and l.offer_id = ${offer}::int and l.traffic_source_id = ${trafficSource}
      and l.partner_id = (select partner_id from partner_stream where id = ${stream})
    limit 1`
  return (await statement.execute(db)).rows[0]
}

/** What to say of a conflict: the message and its values. */
export interface ConflictWords {
  readonly key: MessageKey
  readonly values: Readonly<Record<string, string | number>>
}

const takerOf = ({ offerPartner, offer }: StreamConflict) => ({ link: offerPartner ?? 0, offer: offer ?? '' })

export const streamConflictWords = (conflict: StreamConflict): ConflictWords => ({
  key: 'stream_exists_in',
  values: takerOf(conflict),
})

export function sourceConflictWords(conflict: StreamConflict): ConflictWords {
  const tied = conflict.source === null ? {} : { source: conflict.source }
  return conflict.offerPartner === null
    ? { key: 'traffic_source_exists', values: tied }
    : { key: 'traffic_source_exists_in', values: { ...takerOf(conflict), ...tied } }
}
