// Reads amounts and counts as exact decimals. An ambiguous number is rejected and never guessed, because it is money.

const PLAIN = /^([+-]?)(\d{0,14})(?:[.,](\d*))?$/
const SCIENTIFIC = /^[+-]?\d(?:\.\d+)?e[+-]?\d{1,2}$/i
const SPACES = /[\s\u00a0\u2009\u202f'’]/g
/** Thousands are parted into groups of three; other spaces inside make a number doubtful. */
const GROUPED_BY_SPACE = /^[+-]?\s?\d{1,3}(?:[\s\u00a0\u2009\u202f'’]\d{3})+(?:[.,]\d*)?$/
const SIGN_APART = /^[+-]\s+(?=\S+$)/
/** '1,234' is ambiguous: the comma separates thousands or decimals. */
const TWO_WAYS = /^[+-]?[1-9]\d{0,2},\d{3}$/
const GROUPED_BY_COMMA = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/
const GROUPED_BY_DOT = /^[+-]?[1-9]\d{0,2}(?:\.\d{3}){2,}(?:,\d*)?$|^[+-]?[1-9]\d{0,2}(?:\.\d{3})+,\d*$/
const SCALE = 4
/** Further digits of a calculated amount that was saved as text are noise of its binary form. */
const NOISE_SCALE = 10
/** Digits that a double holds. */
const DOUBLE_DIGITS = 15
const LIMIT = 1e14

/** '1 234,50' → '1234,50'; a text with other spaces inside stays as it is, so that it is no amount. */
export function withoutGroups(text: string): string {
  const bare = text.trim().replace(SIGN_APART, (sign) => sign.trim())
  return GROUPED_BY_SPACE.test(bare) ? bare.replace(SPACES, '') : bare
}

/** '12,50' → '12.5', rounded half-up to four decimals; undefined if the text is not an amount or is ambiguous. */
export function readAmount(text: string, isNumber: boolean): string | undefined {
  let bare = withoutGroups(text)
  if (SCIENTIFIC.test(bare)) {
    const value = Number(bare)
    if (Math.abs(value) >= LIMIT) return undefined
    bare = value.toFixed(6)
  }
  const parts = partsOf(bare, isNumber)
  return parts && round(parts, SCALE)
}

/**
 * Like `readAmount`, but a text with an exponent is no amount, and one with digits beyond four decimals is 'too_precise'. A number may be
 * calculated (=100/3), so it is rounded, unless nothing would remain of it.
 */
export function readExactAmount(
  text: string,
  isNumber: boolean,
): { readonly amount: string; readonly isRounded: boolean } | 'too_precise' | undefined {
  const bare = withoutGroups(text)
  const parts = partsOf(isNumber ? plainNumber(bare) : bare, isNumber)
  if (parts === undefined) return undefined
  const whole = round(parts, NOISE_SCALE)
  const isRounded = /[1-9]/.test(whole.slice(SCALE - NOISE_SCALE))
  if (!isRounded) return { amount: whole.slice(0, SCALE - NOISE_SCALE), isRounded }
  const amount = round(parts, SCALE)
  return isNumber && /[1-9]/.test(amount) ? { amount, isRounded } : 'too_precise'
}

/** A number of a spreadsheet without exponent, to as many decimals as its binary form can hold. */
function plainNumber(text: string): string {
  const value = Number(text)
  if (text === '' || !(Math.abs(value) < LIMIT)) return ''
  const whole = Math.trunc(Math.abs(value)).toString().length
  return value.toFixed(DOUBLE_DIGITS - whole)
}

interface Parts {
  readonly isNegative: boolean
  readonly whole: string
  readonly fraction: string
}

function partsOf(text: string, isNumber: boolean): Parts | undefined {
  let bare = text
  if (!isNumber) {
    if (TWO_WAYS.test(bare)) return undefined
    if (GROUPED_BY_COMMA.test(bare)) bare = bare.replaceAll(',', '')
    else if (GROUPED_BY_DOT.test(bare)) bare = bare.replaceAll('.', '').replace(',', '.')
  }
  const match = PLAIN.exec(bare)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  return whole === '' && fraction === '' ? undefined : { isNegative: sign === '-', whole: whole || '0', fraction }
}

function round({ isNegative, whole, fraction }: Parts, scale: number): string {
  const kept = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'))
  const units = Number(fraction[scale] ?? 0) >= 5 ? kept + 1n : kept
  const digits = units.toString().padStart(scale + 1, '0')
  const text = `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return isNegative && units !== 0n ? `-${text}` : text
}

const COUNT = /^\d{1,9}(?:\.0*)?$/

/** Parses a whole number of 0 or more; undefined for any other text. */
export function readCount(text: string): string | undefined {
  const bare = withoutGroups(text)
  return COUNT.test(bare) ? String(Number.parseInt(bare, 10)) : undefined
}

const EXACT = /^\d{1,15}$/

/** Returns an id unchanged, or restored from a spreadsheet's number notation; undefined if digits are lost. */
export function readId(text: string, isNumber: boolean): string | undefined {
  const bare = text.trim()
  if (!isNumber || EXACT.test(bare)) return bare
  if (/^\d+\.0+$/.test(bare)) return bare.slice(0, bare.indexOf('.'))
  const value = Number(bare)
  return Number.isSafeInteger(value) ? String(value) : undefined
}
