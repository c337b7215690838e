// Periods of days: orders their ends, finds their preset, writes them short.
import { type Period, PRESETS, type Preset, presetPeriod } from '@tributary/contract/period'
import { formatDay } from '../../lib/date-format.ts'

/** Accepts the ends in either order. */
export function orderPeriod(a: string, b: string): Period {
  return a <= b ? { from: a, to: b } : { from: b, to: a }
}

/** The preset that equals the period on the day `today`, or null. */
export function presetOf(period: Period, today: string): Preset | null {
  return PRESETS.find((preset) => isSame(presetPeriod(preset, today), period)) ?? null
}

const isSame = (a: Period, b: Period) => a.from === b.from && a.to === b.to

/** '14.11–20.11'; '14.11–20.11.2025' if it is not of this year. */
export function shortPeriod({ from, to }: Period): string {
  const yearOf = (day: string) => day.slice(0, 4)
  const short = (day: string, year: string) => (formatDay(day) ?? '').slice(0, yearOf(day) === year ? 5 : 10)
  const end = short(to, String(new Date().getFullYear()))
  return from === to ? end : `${short(from, yearOf(to))}–${end}`
}
