// Finds the partner offer of an entered spend, and checks whether it had activity on that day.

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
  readonly offer: number
  readonly isAgency: boolean
  /** Title of its payment model. */
  readonly model: string
}

/** Finds a partner offer of the stream in the country. Order: the current one (`currentId`), agency ones, active ones. */
export async function findSpendOfferPartner(
  db: Db,
  { stream, country, site }: SpendPlace,
  currentId: number | null,
): Promise<SpendOfferPartner | undefined> {
  const { rows } = await sql<SpendOfferPartner>`
    select l.id, o.id as offer, m.type = 'AGENCY' as "isAgency", m.title as model
    from offer_partner as l join offer as o on o.id = l.offer_id join advertiser_country as c on c.id = o.advertiser_country_id
      join payment_model as m on m.id = o.payment_model_id
    where l.id = ${currentId}::int
      or (l.stream_id = ${stream} and c.country_id = ${country} and (${site}::text is null or l.site_id = ${site}))
    order by l.id is not distinct from ${currentId}::int desc, m.type = 'AGENCY' desc, l.active desc, l.id
    limit 1`.execute(db)
  return rows[0]
}

/** The business day since which the offer has its payment model. */
export async function readModelDay(db: Db, offer: number): Promise<string> {
  const { rows } = await sql<{ since: string }>`
    select (coalesce((select max(at) from audit_log
        where entity = 'offer' and entity_id = o.id and action = 'update'
          and before -> 'payment_model' is distinct from after -> 'payment_model'), o.created_at)
      at time zone (select business_time_zone from setting))::date as since
    from offer as o where o.id = ${offer}`.execute(db)
  return rows[0]?.since ?? ''
}

const FACTS = `select 1 as found from click
    where day = {day:Date} and stream_id = {stream:UInt32} and country_id = {country:UInt32} and is_click = 1
      and ({site:String} = '' or site_id = {site:String}) limit 1
  union all
  select 1 as found from activity_fact final
    where day = {day:Date} and stream_id = {stream:UInt32} and country_id = {country:UInt32} and is_deleted = 0
      and (registrations > 0 or deposits_count > 0) and ({site:String} = '' or site_id = {site:String}) limit 1`

/** True if the place has clicks, registrations or deposits. It reads facts first, then PostgreSQL for newer rows. */
export async function hasActivity(
  db: Db,
  { clickhouse }: Pick<Engines, 'clickhouse'>,
  place: SpendPlace,
  link: number,
): Promise<boolean> {
  const { stream, country, site, day } = place
  if ((await clickhouse.query(FACTS, { day, stream, country, site: site ?? '' })).length > 0) return true
  const zone = await readBusinessZone(db)
  const [from, to] = [new Date(startOfDay(day, zone)), new Date(endOfDay(day, zone))]
  const { rows } = await sql`
    select from click_inbox where line like ${`${link}\t%`} and created_at >= ${from} and created_at < ${to}
      and split_part(line, E'\\t', 10) = '1'
    union all
    select from player as p where p.offer_partner_id = ${link} and p.active and (
      (p.registered_at >= ${from} and p.registered_at < ${to})
      or exists (select from player_event as e
        where e.player_id = p.id and e.type = 'dep' and e.happened_at >= ${from} and e.happened_at < ${to})
      or exists (select from player_report as r
        where r.player_id = p.id and r.report_date = ${day}::date and r.deposits_count > 0))
    limit 1`.execute(db)
  return rows.length > 0
}
