// The months that a form of monthly work offers.
import { presetPeriod } from '@tributary/contract/period'

const MONTHS = 12

/** 'YYYY-MM' of the day and the months before it, latest first. */
export function lastMonths(today: string): string[] {
  const months: string[] = []
  for (let day = today; months.length < MONTHS; day = presetPeriod('previous_month', day).from)
    months.push(day.slice(0, 7))
  return months
}
