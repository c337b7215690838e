// The components of a row by name: exact whole numbers that the engine adds up and derives metrics from.

import type { ComponentName } from '@tributary/contract/reports/traffic'

/** A count, or money in ten-thousandths. It is a bigint if a double cannot hold it exactly. */
export type ExactNumber = number | bigint

/** Numbers of facts on days whose income is reported, and on days whose income is not. */
export const INCOME_COUNTS = ['reported_facts', 'unreported_facts'] as const
/** The name of one of the two counts. */
export type IncomeCount = (typeof INCOME_COUNTS)[number]

/** `_2` marks the second period. */
export type ComponentKey = `${ComponentName | IncomeCount}${'' | '_2'}`

/** An absent component is 0. */
export type Components = Readonly<Partial<Record<ComponentKey, ExactNumber>>>

/** ClickHouse sent a sum as a double that cannot hold it exactly. The statement has to run again with numbers as text. */
export class InexactNumber extends Error {}

/** Converts a 64-bit integer that ClickHouse sent as a double, text or bigint. Throws `InexactNumber` if a double cannot hold it exactly. */
export function toExactNumber(value: unknown): ExactNumber {
  if (typeof value === 'string') return BigInt(value)
  if (typeof value === 'bigint') return value
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new InexactNumber()
  return number
}

/** The exact sum or, with `sign` -1, difference; bigint beyond the integers of a double. */
export function addExact(a: ExactNumber, b: ExactNumber, sign: 1 | -1 = 1): ExactNumber {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + sign * b
    if (Number.isSafeInteger(sum)) return sum
  }
  return BigInt(a) + BigInt(sign) * BigInt(b)
}

/** Sums each component over several rows. */
export function addComponents(rows: readonly Components[]): Components {
  const sums: Partial<Record<ComponentKey, ExactNumber>> = {}
  // Object.keys loses the type of the keys.
  for (const row of rows)
    for (const key of Object.keys(row) as ComponentKey[]) sums[key] = addExact(sums[key] ?? 0, row[key] ?? 0)
  return sums
}
