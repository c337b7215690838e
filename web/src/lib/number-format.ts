// Formats numbers: exact decimals, half-up, thin space between thousands, a true minus. Null stays null; the cell shows absence.

const THIN_SPACE = '\u202f'
const MINUS = '\u2212'
const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?$/

/** Returns null for absent values and for text that is no number. Strings are rounded exactly, never through a float. */
export function formatDecimal(value: string | number | null | undefined, digits: number): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number' && !Number.isFinite(value)) return null
  const text = typeof value === 'number' ? plainText(value) : value
  const match = DECIMAL.exec(text.trim())
  if (!match) return null
  const [, sign = '', whole = '0', fraction = ''] = match
  const scaled = round(whole, fraction, digits)
  const padded = scaled.padStart(digits + 1, '0')
  const head = padded.slice(0, padded.length - digits)
  const tail = digits === 0 ? '' : `.${padded.slice(-digits)}`
  const isZero = /^0*$/.test(scaled)
  return `${sign === '-' && !isZero ? MINUS : ''}${groupThousands(head)}${tail}`
}

export function formatCount(value: string | number | null | undefined): string | null {
  return formatDecimal(value, 0)
}

export function formatMoney(value: string | number | null | undefined): string | null {
  return formatDecimal(value, 2)
}

/** All digits of a decimal, without zeros at the end. */
export const formatExact = (value: string): string =>
  formatDecimal(value, (value.split('.')[1] ?? '').replace(/0+$/, '').length) ?? value

export function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE)
}

/** JavaScript writes very small and very large numbers with an exponent, which DECIMAL does not accept. */
function plainText(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(8) : text
}

function round(whole: string, fraction: string, digits: number): string {
  const kept = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'))
  const up = Number(fraction[digits] ?? '0') >= 5
  return (up ? kept + 1n : kept).toString()
}
