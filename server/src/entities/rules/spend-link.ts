// Finds the partner offers of entered spends, and which of them had activity on their day.

import { endOfDay, startOfDay } from '@tributary/contract/period'
import { sql } from 'kysely'
import type { Db, Engines } from '../engine/model/request-context.ts'
import { readBusinessZone } from '../engine/model/request-context.ts'

/** The stream, country, site and business day of an entered spend. */
export interface SpendPlace {
  readonly stream: number
  readonly country: number
  readonly site: string | null
  readonly day: string
}

export interface SpendOfferPartner {
  readonly id: number
  /** By the payment model of the spend's day. */
  readonly isAgency: boolean
  /** Title of that payment model. */
  readonly model: string
  /** The business day since which the offer has it. */
  readonly since: string
}

export interface PlaceToFind {
  readonly place: SpendPlace
  /** The partner offer that the spend has so far. */
  readonly currentId: number | null
}

const MODEL_SINCE = sql`greatest((o.created_at at time zone (select business_time_zone from setting))::date,
  (select max(case when coalesce(h.date_to, 'infinity') >= p.day then h.date_from else h.date_to + 1 end)
    from offer_payment_model_history as h where h.offer_id = o.id and h.active and h.date_from <= p.day))`

/** Finds a partner offer of each stream in its country, in order. Preferred: the current one, those that are agency on that day, active ones. */
export async function findSpendOfferPartners(
  db: Db,
  places: readonly PlaceToFind[],
): Promise<(SpendOfferPartner | undefined)[]> {
  const given = places.map(({ place, currentId }, position) => ({ ...place, currentId, position }))
  const { rows } = await sql<SpendOfferPartner & { position: number }>`
    select p.position, f.*
    from jsonb_to_recordset(${JSON.stringify(given)}) as p (position int, stream int, country int, site text, day date, "currentId" int)
      cross join lateral (
        select l.id, m.type = 'AGENCY' as "isAgency", m.title as model, ${MODEL_SINCE} as since
        from offer_partner as l join offer as o on o.id = l.offer_id join advertiser_country as c on c.id = o.advertiser_country_id
          join payment_model as m on m.id = payment_model_on(o.id, p.day)
        where l.id = p."currentId"
          or (l.stream_id = p.stream and c.country_id = p.country and (p.site is null or l.site_id = p.site))
        order by l.id is not distinct from p."currentId" desc, m.type = 'AGENCY' desc, l.active desc, l.id
        limit 1) as f`.execute(db)
  const found = new Map(rows.map(({ position, ...link }) => [position, link]))
  return places.map((_place, position) => found.get(position))
}

export interface PlaceOfLink extends SpendPlace {
  /** Id of the partner offer. */
  readonly link: number
}

const FACTS = `select distinct day, stream_id as stream, country_id as country, site_id as site from click
    where day in {days:Array(Date)} and stream_id in {streams:Array(UInt32)} and is_click = 1
  union distinct
  select distinct day, stream_id as stream, country_id as country, site_id as site from activity_fact final
    where day in {days:Array(Date)} and stream_id in {streams:Array(UInt32)} and is_deleted = 0
      and (registrations > 0 or deposits_count > 0)`

const keyOf = ({ stream, country, site, day }: SpendPlace): string => `${day} ${stream} ${country} ${site ?? ''}`

/** Those of the places that have clicks, registrations or deposits. It reads facts first, then PostgreSQL for newer rows. */
export async function findActivePlaces<P extends PlaceOfLink>(
  db: Db,
  { clickhouse }: Pick<Engines, 'clickhouse'>,
  places: readonly P[],
): Promise<ReadonlySet<P>> {
  if (places.length === 0) return new Set()
  const facts = await clickhouse.query<SpendPlace>(FACTS, {
    days: [...new Set(places.map(({ day }) => day))],
    streams: [...new Set(places.map(({ stream }) => stream))],
  })
  const known = new Set(facts.flatMap((fact) => [keyOf(fact), keyOf({ ...fact, site: null })]))
  const missing = places.filter((place) => !known.has(keyOf(place)))
  const newer = await readNewerActivity(db, missing)
  return new Set(places.filter((place) => known.has(keyOf(place)) || newer.has(`${place.day} ${place.link}`)))
}

/** 'day link' of clicks, registrations and deposits in PostgreSQL. */
async function readNewerActivity(db: Db, places: readonly PlaceOfLink[]): Promise<ReadonlySet<string>> {
  const days = places.map(({ day }) => day).sort()
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return new Set()
  const zone = await readBusinessZone(db)
  const [from, to] = [new Date(startOfDay(first, zone)), new Date(endOfDay(last, zone))]
  const links = [...new Set(places.map(({ link }) => link))]
  const { rows } = await sql<{ key: string }>`
    select distinct day || ' ' || link as key from (
      select (created_at at time zone ${zone})::date as day, split_part(line, E'\\t', 1)::int as link from click_inbox
        where created_at >= ${from} and created_at < ${to} and split_part(line, E'\\t', 10) = '1'
          and split_part(line, E'\\t', 1) = any(${links.map(String)})
      union all
      select (registered_at at time zone ${zone})::date, offer_partner_id from player
        where active and offer_partner_id = any(${links}) and registered_at >= ${from} and registered_at < ${to}
      union all
      select (e.happened_at at time zone ${zone})::date, p.offer_partner_id
        from player as p join player_event as e on e.player_id = p.id
        where p.active and p.offer_partner_id = any(${links}) and e.type = 'dep' and e.happened_at >= ${from} and e.happened_at < ${to}
      union all
      select r.report_date, p.offer_partner_id from player as p join player_report as r on r.player_id = p.id
        where p.active and p.offer_partner_id = any(${links}) and r.deposits_count > 0
          and r.report_date between ${first}::date and ${last}::date) as activity`.execute(db)
  return new Set(rows.map(({ key }) => key))
}
