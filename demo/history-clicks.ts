// Makes the clicks of the demo's past, which the tracker's own code decides in order of time, day by day.

import type { InboxClick } from '../server/src/facts/columns.ts'
import { type ClickContext, decideClick } from '../server/src/tracker/clicks/click-decision.ts'
import type { Calendar } from './calendar.ts'
import type { Random } from './random.ts'
import { dayWeight } from './rhythm.ts'
import type { PlannedPlayer, Traffic, Visit } from './visits.ts'

/** A visitor who registered, and the click that brought them. */
export interface Convert {
  readonly offerPartner: number
  readonly click: InboxClick
  readonly player: PlannedPlayer
}

export interface ClickHistory {
  readonly calendar: Calendar
  readonly traffic: Traffic
  /** Visits in the whole history. */
  readonly visits: number
  /** UUIDs of the partner offers in the order of the plan. */
  readonly uuids: readonly string[]
  readonly context: ClickContext
  readonly random: Random
  /** Nothing happens after this moment. */
  readonly now: number
}

export type TakeClick = (click: InboxClick, visit: Visit, isFirst: boolean) => void

/** Hands over each click as soon as it is decided, in the order of time. Between two turns it says which day is done, if one is. */
export function* replayClicks(history: ClickHistory, take: TakeClick): Generator<number | undefined> {
  const { calendar, traffic, visits, random } = history
  const weights = Array.from({ length: calendar.days }, (_, n) => dayWeight(n, calendar.days, calendar.day(n)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  for (const [number, weight] of weights.entries()) {
    yield* replayDay(history, calendar.start(number), traffic.visits(random, number, (visits * weight) / total), take)
    yield number
  }
}

interface Moment {
  readonly at: number
  readonly visit: Visit
  readonly isFirst: boolean
}

/** Clicks handled before the event loop runs other work. */
const TURN = 400

function* replayDay(
  { uuids, context, now }: ClickHistory,
  start: number,
  visits: readonly Visit[],
  take: TakeClick,
): Generator<undefined> {
  const moments: Moment[] = visits.flatMap((visit) =>
    visit.moments.map((moment, i) => ({ at: start + moment, visit, isFirst: i === 0 })),
  )
  moments.sort((a, b) => a.at - b.at)
  for (const [done, { at, visit, isFirst }] of moments.entries()) {
    if (at > now) break
    if (done % TURN === TURN - 1) yield
    const verdict = decideClick(requestOf(visit, uuids[visit.offerPartner] ?? '', at), context)
    if (verdict.kind === 'accept') take(verdict.click, visit, isFirst)
  }
}

export function urlOf({ params }: Visit, uuid: string): string {
  const query = Object.entries(params).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return query.length === 0 ? `/c/${uuid}` : `/c/${uuid}?${query.join('&')}`
}

function requestOf(visit: Visit, uuid: string, at: number) {
  return {
    method: 'GET',
    url: urlOf(visit, uuid),
    ip: visit.visitor.ip,
    userAgent: visit.visitor.userAgent,
    language: visit.visitor.language,
    isPrefetch: false,
    now: at,
  }
}
