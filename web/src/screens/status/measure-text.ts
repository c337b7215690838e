// Texts of measured times and sizes, in the unit that people would choose.
import { formatDecimal } from '../../lib/number-format.ts'

type Units = Readonly<Record<'ms' | 's' | 'min' | 'h' | 'gb', string>>

const MINUTE = 60
const HOUR = 60 * MINUTE
const GB = 1024 ** 3

/** 0.0042 → '4 ms', 7.25 → '7.3 s', 600 → '10 min'; null stays null. */
export function formatSeconds(seconds: number | null, units: Units): string | null {
  if (seconds === null) return null
  if (seconds < 1) return `${formatDecimal(seconds * 1000, 0)} ${units.ms}`
  if (seconds < MINUTE) return `${formatDecimal(seconds, 1)} ${units.s}`
  if (seconds < HOUR) return `${formatDecimal(seconds / MINUTE, 0)} ${units.min}`
  return `${formatDecimal(seconds / HOUR, 1)} ${units.h}`
}

export const formatBytes = (bytes: number, units: Units): string =>
  `${formatDecimal(bytes / GB, bytes < 10 * GB ? 2 : 0)} ${units.gb}`
