// Exact decimals as bigint of ten-thousandths (scale 4). Amounts travel as strings; a float never touches them.

const SCALE = 4
const ONE = 10_000n
const SHAPE = /^(-?)(\d{1,18})(?:\.(\d+))?$/

/** Parses '12.5' to 125000n. Null when it is not a plain decimal or has more than four digits after the point (zeros aside). */
export function parseMoney(text: string): bigint | null {
  const match = SHAPE.exec(text.trim())
  if (!match) return null
  const [, sign = '', whole = '', fraction = ''] = match
  if (/[1-9]/.test(fraction.slice(SCALE))) return null
  const units = BigInt(whole) * ONE + BigInt(fraction.slice(0, SCALE).padEnd(SCALE, '0') || '0')
  return sign === '-' ? -units : units
}

/** 125000n → '12.5000'. */
export function formatMoney(units: bigint): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(SCALE + 1, '0')
  return `${sign}${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`
}

/** Divides and rounds half-up (away from zero at a half), in whole units of the result. Null when the divisor is zero. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint | null {
  if (denominator === 0n) return null
  const negative = numerator < 0n !== denominator < 0n
  const top = numerator < 0n ? -numerator : numerator
  const bottom = denominator < 0n ? -denominator : denominator
  const result = (2n * top + bottom) / (2n * bottom)
  return negative ? -result : result
}

/** Ten-thousandths to hundredths, half-up: what a report shows. The number is exact for every amount that a report can hold. */
export function toCents(units: bigint): bigint {
  return divideHalfUp(units, 100n) ?? 0n
}
