// Reads on which days streams had clicks, registrations or deposits, by country and site. Facts say how many; what is newer than the facts
// only that there were some.

import { addDays, endOfDay, type Period, startOfDay } from '@tributary/contract/period'
import { sql } from 'kysely'
import {
  DELETED_MONTHS_SQL,
  type DeletedConditions,
  type DeletedMonth,
  deletedConditions,
} from '../../facts/clicks/deleted-clicks.ts'
import { remember } from '../../lib/remember.ts'
import type { Db, Engines } from '../engine/model/request-context.ts'
import { readBusinessZone } from '../engine/model/request-context.ts'
import { CellMap, type ReadonlyCellMap } from './cell-map.ts'
import type { SpendCell } from './spend-cell.ts'

export interface Activity {
  readonly clicks: number
  readonly registrations: number
}

/** Active cells: each site, and null for all sites together. */
export type ActivityMap = ReadonlyCellMap<Activity>

const factsSql = ({
  clicks,
  days,
}: DeletedConditions): string => `select stream_id as stream, country_id as country, site_id as site,
    groupArray(toUInt16(day)) as days, groupArray(toUInt32(n_clicks)) as clicks, groupArray(toUInt32(n_registrations)) as registrations
  from (
    select day, stream_id, country_id, site_id, sum(clicks_part) as n_clicks, sum(registrations_part) as n_registrations
    from (
      select day, stream_id, country_id, site_id, sum(is_click) as clicks_part, 0 as registrations_part from click
      where day >= {from:Date} and day <= {to:Date} and stream_id in {streams:Array(UInt32)} and ${clicks}
      group by day, stream_id, country_id, site_id having clicks_part > 0
      union all
      select day, stream_id, country_id, site_id, sum(is_click) as clicks_part, 0 as registrations_part from click_day
      where day >= {from:Date} and day <= {to:Date} and stream_id in {streams:Array(UInt32)} and ${days ?? '0'}
      group by day, stream_id, country_id, site_id
      union all
      select day, stream_id, country_id, site_id, 0 as clicks_part, sum(registrations) as registrations_part from activity_fact final
      where day >= {from:Date} and day <= {to:Date} and stream_id in {streams:Array(UInt32)} and is_deleted = 0
        and (registrations > 0 or deposits_count > 0)
      group by day, stream_id, country_id, site_id
    )
    group by day, stream_id, country_id, site_id
  )
  group by stream_id, country_id, site_id`

interface Place {
  readonly stream: number
  readonly country: number
  readonly site: string
}

/** The days of a place. A row for each day would take several times the memory: a year of 300 streams has a hundred thousand. */
interface FactRow extends Place {
  /** Days since 1970-01-01. The other arrays hold the figures of each, in the same order. */
  readonly days: readonly number[]
  readonly clicks: readonly number[]
  readonly registrations: readonly number[]
}

const DAY_ZERO = '1970-01-01'

export async function readActivity(
  db: Db,
  { clickhouse }: Pick<Engines, 'clickhouse'>,
  streams: readonly number[],
  period: Period,
): Promise<ActivityMap> {
  const found = new CellMap<Activity>()
  if (streams.length === 0) return found
  const add = (place: Omit<SpendCell, 'site'>, site: string, { clicks, registrations }: Activity): void => {
    for (const one of site === '' ? [null] : [site, null]) {
      const cell = { ...place, site: one }
      const before = found.get(cell)
      found.set(cell, {
        clicks: clicks + (before?.clicks ?? 0),
        registrations: registrations + (before?.registrations ?? 0),
      })
    }
  }
  // In this order, because what leaves the outbox is among the facts by then.
  const newer = await readNewer(db, streams, period)
  const deleted = await sql<{ months: DeletedMonth[] }>`select ${sql.raw(DELETED_MONTHS_SQL)} as months`.execute(db)
  const statement = factsSql(deletedConditions(deleted.rows[0]?.months ?? []))
  const facts = await clickhouse.query<FactRow>(statement, { ...period, streams })
  const texts = new Map<number, string>()
  for (const { stream, country, site, days, clicks, registrations } of facts)
    days.forEach((number, at) => {
      const day = remember(texts, number, () => addDays(DAY_ZERO, number))
      add({ day, stream, country }, site, { clicks: clicks[at] ?? 0, registrations: registrations[at] ?? 0 })
    })
  for (const { site, ...place } of newer) add(place, site, { clicks: 0, registrations: 0 })
  return found
}

interface NewerRow extends Place {
  readonly day: string
}

/** Clicks of the inbox, and players whose changes still wait in the outbox. */
async function readNewer(db: Db, streams: readonly number[], { from, to }: Period): Promise<NewerRow[]> {
  const zone = await readBusinessZone(db)
  const [begin, end] = [new Date(startOfDay(from, zone)), new Date(endOfDay(to, zone))]
  const dayOf = (column: string) => sql`(${sql.raw(column)} at time zone ${zone}::text)::date`
  const { rows } = await sql<NewerRow>`
    select distinct newer.day, l.stream_id as stream, c.country_id as country, l.site_id as site from (
      select split_part(line, E'\\t', 1)::int as offer_partner, ${dayOf('created_at')} as day from click_inbox
      where created_at >= ${begin} and created_at < ${end} and split_part(line, E'\\t', 10) = '1'
      union all
      select p.offer_partner_id, active.day from player p, lateral (
        select ${dayOf('p.registered_at')} as day
        union all
        select ${dayOf('e.happened_at')} from player_event e where e.player_id = p.id and e.type = 'dep'
          and e.happened_at >= ${begin} and e.happened_at < ${end}
        union all
        select r.report_date from player_report r where r.player_id = p.id and r.report_date between ${from}::date and ${to}::date
          and r.deposits_count > 0
      ) as active
      where p.id in (select key from outbox where kind = 'player') and p.active
    ) as newer
    join offer_partner l on l.id = newer.offer_partner
    join offer o on o.id = l.offer_id
    join advertiser_country c on c.id = o.advertiser_country_id
    where l.stream_id = any(${streams}::int[]) and newer.day between ${from}::date and ${to}::date`.execute(db)
  return rows
}
