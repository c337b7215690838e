// Days to look at instead of those that have nothing.
import { type Period, presetPeriod } from '@tributary/contract/period'

const LONGER = ['current_month', 'current_year'] as const

/** The shortest of the known periods that has days which the report does not show; undefined when none has. */
export function longerPeriod({ from, to }: Period, today: string) {
  return LONGER.map((preset) => ({ preset, days: presetPeriod(preset, today) })).find(
    ({ days }) => days.from < from || days.to > to,
  )
}
