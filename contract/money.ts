// Money is a bigint of ten-thousandths (scale 4) in code and a string on the wire, never a float.

const SCALE = 4
const ONE = 10_000n
const SHAPE = /^(-?)(\d{1,18})(?:\.(\d+))?$/

/** Parses '12.5' to 125000n. Null if the text is not a plain decimal or has more than four significant decimals. */
export function parseMoney(text: string): bigint | null {
  const match = SHAPE.exec(text.trim())
  if (!match) return null
  const [, sign = '', whole = '', fraction = ''] = match
  if (/[1-9]/.test(fraction.slice(SCALE))) return null
  const units = BigInt(whole) * ONE + BigInt(fraction.slice(0, SCALE).padEnd(SCALE, '0') || '0')
  return sign === '-' ? -units : units
}

/** Like `parseMoney` for a decimal of the database; 0 for any other text. */
export const unitsOf = (text: string): bigint => parseMoney(text) ?? 0n

/** 125000n → '12.5000'. */
export function formatMoney(units: bigint): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(SCALE + 1, '0')
  return `${sign}${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`
}

/** Divides and rounds half away from zero to a whole number. Null if the divisor is zero. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint | null {
  if (denominator === 0n) return null
  const negative = numerator < 0n !== denominator < 0n
  const top = numerator < 0n ? -numerator : numerator
  const bottom = denominator < 0n ? -denominator : denominator
  const result = (2n * top + bottom) / (2n * bottom)
  return negative ? -result : result
}

/** Rounds ten-thousandths half-up to hundredths, as reports show them. */
export function toCents(units: bigint): bigint {
  return divideHalfUp(units, 100n) ?? 0n
}
