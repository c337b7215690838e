// Says whether a spend may be entered in a place, and for which partner offer. These rules hold for every source: forms, tables, files, sheets.

import type { SpendLock } from '@tributary/contract/calls/spend-table'
import { parseMoney } from '@tributary/contract/money'
import type { Period } from '@tributary/contract/period'
import { formatDay, today } from '@tributary/contract/period'
import type { Issue } from '@tributary/contract/validate'
import { type Db, type Engines, readBusinessZone } from '../engine/model/request-context.ts'
import { type ClosedMonth, readClosedMonths } from '../rules/closed-period.ts'
import { type ActivityMap, readActivity } from './spend-activity.ts'
import type { SpendCell } from './spend-cell.ts'
import type { Amount } from './spend-month.ts'
import {
  modelOn,
  modelSince,
  readSpendOfferPartners,
  type SpendOfferPartner,
  type SpendOfferPartners,
} from './spend-offer-partners.ts'

/** What the rules need to know of some streams in a period. */
export interface Ground {
  readonly offerPartners: SpendOfferPartners
  readonly activity: ActivityMap
  /** By 'stream YYYY-MM'. */
  readonly closed: ReadonlyMap<string, ClosedMonth>
  /** The current business day. */
  readonly today: string
}

/** Partner offers are those of the streams and of their spends in the period; `kept` names others. */
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

const NONE_CLOSED: Ground['closed'] = new Map()

/** As if no month was closed. */
async function readOpenGround(
  db: Db,
  engines: Pick<Engines, 'clickhouse'>,
  streams: readonly number[],
  period: Period,
  kept: readonly number[],
): Promise<Ground> {
  const offerPartners = await readSpendOfferPartners(db, streams, period, kept)
  const activity = await readActivity(db, engines, streams, period)
  return { offerPartners, activity, closed: NONE_CLOSED, today: today(await readBusinessZone(db)) }
}

export interface CellVerdict {
  readonly offerPartner: SpendOfferPartner | undefined
  /** Null: a sum may be entered. */
  readonly lock: SpendLock | null
}

export interface HeldMoney {
  readonly active: boolean
  /** Null while only a claim exists. */
  readonly sum: string | null
  readonly currency: number | null
  readonly claim: string | null
  readonly claimCurrency: number | null
}

/** True if the amount is more than what the spend holds, accepted or claimed: only a day with activity takes that. Null: any amount at all. */
export function needsActivity(spend: HeldMoney | undefined, given: Amount | null): boolean {
  if (spend?.active !== true) return true
  const claim = { sum: spend.claim, currency: spend.claimCurrency }
  const held = [spend, claim].filter(({ sum }) => sum !== null)
  return given === null ? held.length === 0 : !held.some((amount) => isAtMost(given, amount))
}

/** Amounts of two currencies are not compared. */
function isAtMost(given: Amount, held: Amount): boolean {
  const units = moneyOf(given)
  return units === 0n || (given.currency === held.currency && units <= moneyOf(held))
}

const moneyOf = ({ sum }: Amount): bigint => parseMoney(sum ?? '') ?? 0n

/** `currentId`: the partner offer that the spend of the cell has. `isRaised`: as `needsActivity` says. */
export function judgeCell(ground: Ground, place: SpendCell, currentId: number | null, isRaised: boolean): CellVerdict {
  const offerPartner = ground.offerPartners.find(place, currentId)
  return { offerPartner, lock: findLock(ground, place, offerPartner, isRaised) }
}

function findLock(
  { today: last, activity, closed }: Ground,
  place: SpendCell,
  offerPartner: SpendOfferPartner | undefined,
  isRaised: boolean,
): SpendLock | null {
  if (closeOf({ closed }, place) !== undefined) return 'period_closed'
  if (place.day > last) return 'date_future'
  if (offerPartner === undefined) return place.site === null ? 'spend_link_missing' : 'spend_site_missing'
  if (!modelOn(offerPartner, place.day).isAgency) return 'not_agency'
  return isRaised && !activity.has(place) ? 'spend_without_activity' : null
}

const closeOf = ({ closed }: Pick<Ground, 'closed'>, { stream, day }: SpendCell): ClosedMonth | undefined =>
  closed.get(`${stream} ${day.slice(0, 7)}`)

export interface SpendToJudge {
  readonly place: SpendCell
  /** The partner offer that the spend keeps if it can. */
  readonly currentId: number | null
  /** As `needsActivity` says. */
  readonly isRaised: boolean
}

export type SpendRejection = Exclude<SpendLock, 'period_closed'>

export type SpendVerdict =
  | { readonly offerPartner: number }
  | { readonly rejected: SpendRejection; readonly values: Readonly<Record<string, string>> }

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
  return spends.map(({ place, currentId, isRaised }): SpendVerdict => {
    const { offerPartner, lock } = judgeCell(ground, place, currentId, isRaised)
    if (offerPartner !== undefined && lock === null) return { offerPartner: offerPartner.id }
    const rejected = lock === null || lock === 'period_closed' ? 'spend_link_missing' : lock
    return { rejected, values: valuesOf(rejected, offerPartner, place.day) ?? {} }
  })
}

/** The sentence of a lock, with its values: a closed month says by whom. Not for partners. */
export function describeLock(
  lock: SpendLock,
  offerPartner: SpendOfferPartner | undefined,
  place: SpendCell,
  ground: Pick<Ground, 'closed'>,
): Issue {
  const close = lock === 'period_closed' ? closeOf(ground, place) : undefined
  if (close !== undefined) return { key: 'period_closed_by', values: { ...close } }
  const values = valuesOf(lock, offerPartner, place.day)
  return values === null ? { key: lock } : { key: lock, values }
}

function valuesOf(
  lock: SpendLock,
  offerPartner: SpendOfferPartner | undefined,
  day: string,
): Readonly<Record<string, string>> | null {
  if (lock !== 'not_agency' || offerPartner === undefined) return null
  const since = modelSince(offerPartner, day)
  const values = { model: modelOn(offerPartner, day).title, day: formatDay(day) }
  return since === null ? values : { ...values, since: formatDay(since) }
}
