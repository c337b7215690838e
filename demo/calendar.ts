// The business days of the demo's history, prepared once, because a quarter of a million events look up their day.

import { addDays, daysBetween, endOfDay, startOfDay, today } from '@tributary/contract/period'

export interface Calendar {
  /** The instant at which the history ends. */
  readonly now: number
  readonly days: number
  readonly first: string
  day(n: number): string
  /** First millisecond. */
  start(n: number): number
  /** Number of the day on which an instant falls; days - 1 for whatever is later. */
  find(at: number): number
}

/** The last day is today, and it is not over. */
export function makeCalendar(days: number, zone: string, now: number): Calendar {
  const last = today(zone, now)
  const first = addDays(last, 1 - days)
  const names = Array.from({ length: days }, (_, n) => addDays(first, n))
  const starts = names.map((day) => startOfDay(day, zone))
  starts.push(endOfDay(last, zone))
  const at = <T>(list: readonly T[], n: number): T => {
    const item = list[Math.max(0, Math.min(list.length - 1, n))]
    if (item === undefined) throw new RangeError('an empty calendar')
    return item
  }
  return {
    now,
    days: daysBetween(first, last) + 1,
    first,
    day: (n) => at(names, n),
    start: (n) => at(starts, n),
    find(instant) {
      let low = 0
      let high = days - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (at(starts, middle) <= instant) low = middle
        else high = middle - 1
      }
      return low
    },
  }
}
