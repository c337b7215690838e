// Days, weeks and months as rows and points, each identified by its first day.
import { addDays } from '@tributary/contract/period'
import type { DimensionName } from '@tributary/contract/reports/traffic'

/** The last day of a day, week or month, by its first day. */
export function lastDay(level: DimensionName, first: string): string {
  if (level === 'day') return first
  if (level === 'week') return addDays(first, 6)
  return addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1)
}

/** True if the period includes today: its numbers still grow. */
export const isRunning = (level: DimensionName, first: string, today: string): boolean =>
  first <= today && today <= lastDay(level, first)
