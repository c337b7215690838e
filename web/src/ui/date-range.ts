// Days from–to and how a person chooses them: presets, one press = one day, two presses = a range in order.
import { type Period, PRESETS, type Preset, presetPeriod } from '@tributary/contract/period'

/** The first press starts a range, the second ends it, whichever way round; a third starts anew. */
export function pickDay(pending: string | null, day: string): { pending: string | null; period: Period } {
  if (pending === null) return { pending: day, period: { from: day, to: day } }
  return { pending: null, period: orderPeriod(pending, day) }
}

export function orderPeriod(a: string, b: string): Period {
  return a <= b ? { from: a, to: b } : { from: b, to: a }
}

/** The preset that a period is, when `today` is today. */
export function presetOf(period: Period, today: string): Preset | null {
  return PRESETS.find((preset) => isSame(presetPeriod(preset, today), period)) ?? null
}

const isSame = (a: Period, b: Period) => a.from === b.from && a.to === b.to
