// Periods of days: their ends in order, and the preset that a period is.
import { type Period, PRESETS, type Preset, presetPeriod } from '@tributary/contract/period'

/** Ends may come either way round. */
export function orderPeriod(a: string, b: string): Period {
  return a <= b ? { from: a, to: b } : { from: b, to: a }
}

/** The preset that a period is, when `today` is today. */
export function presetOf(period: Period, today: string): Preset | null {
  return PRESETS.find((preset) => isSame(presetPeriod(preset, today), period)) ?? null
}

const isSame = (a: Period, b: Period) => a.from === b.from && a.to === b.to
