// Days, weeks and months as rows and points: each is known by its first day.
import { addDays } from '@tributary/contract/period'
import type { DimensionName } from '@tributary/contract/reports/traffic'

/** The last day of a day, a week or a month, by its first. */
export function lastDay(level: DimensionName, first: string): string {
  if (level === 'day') return first
  if (level === 'week') return addDays(first, 6)
  return addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1)
}

/** Whether it has begun and is not over on this day: its numbers still grow. */
export const isRunning = (level: DimensionName, first: string, today: string): boolean =>
  first <= today && today <= lastDay(level, first)
