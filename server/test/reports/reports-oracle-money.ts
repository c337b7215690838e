// Money of the naive recount: ten-thousandths, half-up, by the rate of the day.
import type { World } from './reports-world.ts'

/** Ten-thousandths. */
export type Units = bigint
export const units = (value: number): Units => BigInt(Math.round(value * 10_000))

/** Half-up, away from zero. */
export function ratio(top: bigint, bottom: bigint): bigint {
  const negative = top < 0n !== bottom < 0n
  const [a, b] = [top < 0n ? -top : top, bottom < 0n ? -bottom : bottom]
  const whole = a / b + ((a % b) * 2n >= b ? 1n : 0n)
  return negative ? -whole : whole
}

/** Rounded to hundredths, as it is shown; null by zero. */
export const hundredths = (top: bigint, bottom: bigint): number | null =>
  bottom === 0n ? null : Number(ratio(top * 100n, bottom)) / 100

/** The latest rate on or before the day, in hundred-millionths. */
function rateOf(world: World, currency: number, day: string): bigint | null {
  if (currency === 1) return 100_000_000n
  if (currency !== 2) return null
  const known = world.rates.filter((rate) => rate.day <= day).sort((a, b) => (a.day < b.day ? 1 : -1))[0]
  return known === undefined ? null : BigInt(Math.round(known.rate * 100_000_000))
}

export function convert(world: World, amount: Units, from: number, to: number, day: string): Units | null {
  if (from === to || amount === 0n) return amount
  const [source, target] = [rateOf(world, from, day), rateOf(world, to, day)]
  return source === null || target === null ? null : ratio(amount * source, target)
}
