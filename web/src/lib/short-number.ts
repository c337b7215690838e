// Short numbers for the axes of charts: '12.3k', '12.3 тыс.'.
import { formatDecimal } from './number-format.ts'

export type NumberUnit = 'thousand' | 'million' | 'billion'

const UNITS: readonly (readonly [from: number, size: number, unit: NumberUnit])[] = [
  [1e9, 1e9, 'billion'],
  [1e6, 1e6, 'million'],
  [1e4, 1e3, 'thousand'],
]

/** `write` puts the unit beside a number in the language of the screen. `largest` is the largest number of the axis: all have its unit. */
export function formatShort(
  value: number,
  write: (unit: NumberUnit, value: string) => string,
  largest: number = value,
): string {
  const size = Math.abs(value)
  const found = value === 0 ? undefined : UNITS.find(([from]) => Math.abs(largest) >= from)
  if (found === undefined) return formatDecimal(value, size < 10 && !Number.isInteger(value) ? 1 : 0) ?? ''
  return write(found[2], (formatDecimal(value / found[1], 1) ?? '').replace(/\.0$/, ''))
}
