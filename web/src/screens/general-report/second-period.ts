// The days of the second period, and how they are written in little room.
import { addDays, daysBetween, type Period } from '@tributary/contract/period'
import { formatDay } from '../../lib/date-format.ts'
import type { ReportState } from './report-state.ts'

/** Null without a second period. It is as long as the first. */
export function secondPeriodOf({ from, to, second }: Pick<ReportState, 'from' | 'to' | 'second'>): Period | null {
  if (second === 'off') return null
  const end = second === 'previous' ? addDays(from, -1) : second
  return { from: addDays(end, -daysBetween(from, to)), to: end }
}

/** '14.11–20.11' */
export function shortPeriod({ from, to }: Period): string {
  const short = (day: string) => (formatDay(day) ?? '').slice(0, 5)
  return from === to ? short(from) : `${short(from)}–${short(to)}`
}
