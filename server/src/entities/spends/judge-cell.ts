// Says whether a spend may be entered in a place, and for which partner offer. These rules hold for every source: forms, tables, files, sheets.

import type { SpendLock } from '@tributary/contract/calls/spend-table'
import type { Period } from '@tributary/contract/period'
import { today } from '@tributary/contract/period'
import type { Issue } from '@tributary/contract/validate'
import { type Db, type Engines, readBusinessZone } from '../engine/model/request-context.ts'
import { readClosedMonths } from '../rules/closed-period.ts'
import { type ActivityMap, readActivity } from './spend-activity.ts'
import { keyOfCell, modelOn, modelSince, readSpendLinks, type SpendLink, type SpendLinks } from './spend-links.ts'
import type { SpendPlace } from './spend-place.ts'

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
  const closed = await readClosedMonths(db, streams, period)
  return { ...(await readOpenGround(db, engines, streams, period, kept)), closed }
}

const NONE_CLOSED: Ground['closed'] = new Set()

/** As if no month was closed. */
async function readOpenGround(
  db: Db,
  engines: Pick<Engines, 'clickhouse'>,
  streams: readonly number[],
  period: Period,
  kept: readonly number[],
): Promise<Ground> {
  const links = await readSpendLinks(db, streams, kept)
  const activity = await readActivity(db, engines, streams, period, links)
  return { links, activity, closed: NONE_CLOSED, today: today(await readBusinessZone(db)) }
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

export interface SpendToJudge {
  readonly place: SpendPlace
  /** The partner offer that the spend keeps if it can. */
  readonly currentId: number | null
  /** False: the spend already stands in this place, and needs no activity. */
  readonly isNew: boolean
}

export type SpendRefusal = Exclude<SpendLock, 'period_closed'>

export type SpendVerdict =
  | { readonly link: number }
  | { readonly refused: SpendRefusal; readonly values: Readonly<Record<string, string>> }

/** Verdicts in the order of `spends`. Callers reject closed months by themselves. */
export async function judgeSpends(
  db: Db,
  engines: Pick<Engines, 'clickhouse'>,
  spends: readonly SpendToJudge[],
): Promise<SpendVerdict[]> {
  const days = spends.map(({ place }) => place.day).sort()
  const [from, to] = [days[0], days.at(-1)]
  if (from === undefined || to === undefined) return []
  const streams = [...new Set(spends.map(({ place }) => place.stream))]
  const kept = [...new Set(spends.flatMap(({ currentId }) => currentId ?? []))]
  const ground = await readOpenGround(db, engines, streams, { from, to }, kept)
  return spends.map(({ place, currentId, isNew }): SpendVerdict => {
    const { link, lock } = judgeCell(ground, place, currentId, isNew)
    if (link !== undefined && lock === null) return { link: link.id }
    const refused = lock === null || lock === 'period_closed' ? 'spend_link_missing' : lock
    return { refused, values: valuesOf(refused, link, place.day) ?? {} }
  })
}

/** The sentence of a lock, with its values. */
export function describeLock(lock: SpendLock, link: SpendLink | undefined, day: string): Issue {
  const values = valuesOf(lock, link, day)
  return values === null ? { key: lock } : { key: lock, values }
}

function valuesOf(lock: SpendLock, link: SpendLink | undefined, day: string): Readonly<Record<string, string>> | null {
  if (lock !== 'not_agency' || link === undefined) return null
  return { model: modelOn(link, day).title, since: modelSince(link, day) }
}
