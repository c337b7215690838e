// Says whether a spend may be entered in a cell, and for which partner offer: the rules of a single spend, for many with one reading.

import type { SpendLock } from '@tributary/contract/calls/spend-table'
import type { Period } from '@tributary/contract/period'
import { today } from '@tributary/contract/period'
import type { Issue } from '@tributary/contract/validate'
import { type Db, type Engines, readBusinessZone } from '../engine/model/request-context.ts'
import { readClosedMonths } from '../rules/closed-period.ts'
import type { SpendPlace } from '../rules/spend-link.ts'
import { type ActivityMap, readActivity } from './spend-activity.ts'
import { keyOfCell, modelOn, modelSince, readSpendLinks, type SpendLink, type SpendLinks } from './spend-links.ts'

/** What the rules need to know of some streams in a period. */
export interface Ground {
  readonly links: SpendLinks
  readonly activity: ActivityMap
  /** 'stream YYYY-MM' of closed months. */
  readonly closed: ReadonlySet<string>
  /** The current business day. */
  readonly today: string
}

export async function readGround(
  db: Db,
  engines: Pick<Engines, 'clickhouse'>,
  streams: readonly number[],
  period: Period,
  kept: readonly number[] = [],
): Promise<Ground> {
  const links = await readSpendLinks(db, streams, kept)
  const activity = await readActivity(db, engines, streams, period, links)
  const closed = await readClosedMonths(db, streams, period)
  return { links, activity, closed, today: today(await readBusinessZone(db)) }
}

export interface CellVerdict {
  readonly link: SpendLink | undefined
  /** Null: a sum may be entered. */
  readonly lock: SpendLock | null
}

/** `currentId`: the link that the spend of the cell has; a spend that exists needs no activity. */
export function judgeCell(ground: Ground, place: SpendPlace, currentId: number | null, isNew: boolean): CellVerdict {
  const link = ground.links.find(place, currentId)
  return { link, lock: findLock(ground, place, link, isNew) }
}

function findLock(
  { today: last, activity, closed }: Ground,
  place: SpendPlace,
  link: SpendLink | undefined,
  isNew: boolean,
): SpendLock | null {
  if (isClosed(closed, place)) return 'period_closed'
  if (place.day > last) return 'date_future'
  if (link === undefined) return place.site === null ? 'spend_link_missing' : 'spend_site_missing'
  if (!modelOn(link, place.day).isAgency) return 'not_agency'
  return isNew && !activity.has(keyOfCell(place)) ? 'spend_without_activity' : null
}

const isClosed = (closed: ReadonlySet<string>, { stream, day }: SpendPlace): boolean =>
  closed.has(`${stream} ${day.slice(0, 7)}`)

/** The sentence of a lock, with its values. */
export function describeLock(lock: SpendLock, link: SpendLink | undefined, day: string): Issue {
  if (lock !== 'not_agency' || link === undefined) return { key: lock }
  return { key: lock, values: { model: modelOn(link, day).title, since: modelSince(link, day) } }
}
