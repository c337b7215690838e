// The components of a row, by name: what the engine adds up and metrics are derived from. Exact whole numbers throughout.

import type { ComponentName } from '@tributary/contract/reports/traffic'

/** Counts as they are; money in ten-thousandths. A bigint where the sum does not fit a double. */
export type Whole = number | bigint

/** `_2`: of the second period. */
export type ComponentKey = ComponentName | `${ComponentName}_2`

/** A component without facts is zero and may be absent. */
export type Components = Readonly<Partial<Record<ComponentKey, Whole>>>

/** A sum came over the wire as a double that cannot hold it: the statement must be read again with numbers as text. */
export class InexactNumber extends Error {}

/** A 64-bit integer of an answer: a double, or text where it is asked for. Throws `InexactNumber` where a double does not hold it. */
export function toWhole(value: unknown): Whole {
  if (typeof value === 'string') return BigInt(value)
  if (typeof value === 'bigint') return value
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new InexactNumber()
  return number
}

export function addWhole(a: Whole, b: Whole, sign: 1 | -1 = 1): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + sign * b
    if (Number.isSafeInteger(sum)) return sum
  }
  return BigInt(a) + BigInt(sign) * BigInt(b)
}

/** The sums of each component over several rows. */
export function addComponents(rows: readonly Components[]): Components {
  const sums: Partial<Record<ComponentKey, Whole>> = {}
  // Object.keys forgets their type.
  for (const row of rows)
    for (const key of Object.keys(row) as ComponentKey[]) sums[key] = addWhole(sums[key] ?? 0, row[key] ?? 0)
  return sums
}
