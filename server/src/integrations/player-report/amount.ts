// Reads amounts and counts as exact decimals. An ambiguous number is rejected and never guessed, because it is money.

const PLAIN = /^([+-]?)(\d{0,14})(?:[.,](\d*))?$/
const SCIENTIFIC = /^[+-]?\d(?:\.\d+)?e[+-]?\d{1,2}$/i
const SPACES = /[\s\u00a0\u2009\u202f']/g
/** '1,234' is ambiguous: the comma separates thousands or decimals. */
const TWO_WAYS = /^[+-]?[1-9]\d{0,2},\d{3}$/
const GROUPED_BY_COMMA = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/
const GROUPED_BY_DOT = /^[+-]?[1-9]\d{0,2}(?:\.\d{3}){2,}(?:,\d*)?$|^[+-]?[1-9]\d{0,2}(?:\.\d{3})+,\d*$/
const SCALE = 4

/** '12,50' → '12.5', rounded half-up to four decimals; undefined if the text is not an amount or is ambiguous. */
export function readAmount(text: string, isNumber: boolean): string | undefined {
  let bare = text.replace(SPACES, '')
  if (SCIENTIFIC.test(bare)) {
    const value = Number(bare)
    if (Math.abs(value) >= 1e14) return undefined
    bare = value.toFixed(6)
  }
  if (!isNumber) {
    if (TWO_WAYS.test(bare)) return undefined
    if (GROUPED_BY_COMMA.test(bare)) bare = bare.replaceAll(',', '')
    else if (GROUPED_BY_DOT.test(bare)) bare = bare.replaceAll('.', '').replace(',', '.')
  }
  const match = PLAIN.exec(bare)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  if (whole === '' && fraction === '') return undefined
  return round(sign === '-', whole === '' ? '0' : whole, fraction)
}

function round(isNegative: boolean, whole: string, fraction: string): string {
  const kept = BigInt(whole + fraction.slice(0, SCALE).padEnd(SCALE, '0'))
  const units = Number(fraction[SCALE] ?? 0) >= 5 ? kept + 1n : kept
  const digits = units.toString().padStart(SCALE + 1, '0')
  const text = `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`
  return isNegative && units !== 0n ? `-${text}` : text
}

const COUNT = /^\d{1,9}(?:\.0*)?$/

/** Parses a whole number of 0 or more; undefined for any other text. */
export function readCount(text: string): string | undefined {
  const bare = text.replace(SPACES, '')
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
