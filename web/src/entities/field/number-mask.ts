// The mask of number inputs: digits, one point and, if allowed, a minus; thousands separators are shown, not stored.
import { groupThousands } from '../../lib/number-format.ts'

/** A message quotes so much of a text that it rejects. */
export const QUOTED_LETTERS = 40

export interface NumberMask {
  /** Digits after the point; 0 = whole numbers. */
  readonly scale: number
  readonly isSigned: boolean
  readonly min?: number | undefined
  readonly max?: number | undefined
}

/** '1 234,56e' → '1234.56'. Drops all characters that are not part of a number, such as the letter e. */
export function cleanNumber(text: string, { scale, isSigned }: NumberMask): string {
  const sign = isSigned && /^\s*[-\u2212]/.test(text) ? '-' : ''
  const [whole = '', ...rest] = withPoint(text.replace(/[^\d.,]/g, '')).split('.')
  const digits = whole.replace(/^0+(?=\d)/, '')
  if (scale === 0 || rest.length === 0) return sign + digits
  return `${sign}${digits === '' ? '0' : digits}.${rest.join('').slice(0, scale)}`
}

const DOT_GROUPS = /^\d{1,3}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/
const COMMA_GROUPS = /^\d{1,3}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/

/** '1.234,5' → '1234.5', '1,234.5' → '1234.5'. A comma alone is a point. */
function withPoint(text: string): string {
  if (DOT_GROUPS.test(text)) return text.replaceAll('.', '').replace(',', '.')
  return COMMA_GROUPS.test(text) ? text.replaceAll(',', '') : text.replaceAll(',', '.')
}

const NUMBER = /^[-+\u2212]?\p{Sc}?[\d\s'\u2019]*([.,][\d\s'\u2019]*)*[\p{Sc}%]?$/u

/** True for pasted text that is a number in some notation: '1 234,56 €', "1'234.50", '−5'. False for 'abc-5e3', which holds digits only by chance. */
export const isNumberText = (text: string): boolean => /\d/.test(text) && NUMBER.test(text.trim())

/** Why the field would change a pasted number, or may read it wrongly: '1,234' is a thousand in English; null if it would not. */
export function findPasteLoss(
  text: string,
  mask: NumberMask,
): 'unclear' | 'ambiguous' | 'negative' | 'whole' | 'decimals' | null {
  const isNegative = /^\s*[-\u2212]/.test(text) && /[1-9]/.test(text)
  if (isNegative && !mask.isSigned) return 'negative'
  if (/^\D*[1-9]\d{0,2},\d{3}\D*$/.test(text)) return 'ambiguous'
  const [, ...fractions] = withPoint(text.replace(/[^\d.,]/g, '').replace(/[.,]+$/, '')).split('.')
  if (fractions.length > 1) return 'unclear'
  if (!/[1-9]/.test((fractions[0] ?? '').slice(mask.scale))) return null
  return mask.scale === 0 ? 'whole' : 'decimals'
}

export function showNumber(clean: string): string {
  const [head = '', tail] = clean.split('.')
  const sign = head.startsWith('-') ? '-' : ''
  const whole = groupThousands(head.slice(sign.length))
  return `${sign}${whole}${tail === undefined ? '' : `.${tail}`}`
}

/** Cleans a number on blur: removes a point without digits and applies the bounds. */
export function clampNumber(clean: string, { min, max }: NumberMask): string {
  const text = clean.replace(/\.$/, '')
  if (text === '' || text === '-') return ''
  const value = Number(text)
  if (min !== undefined && value < min) return String(min)
  return max !== undefined && value > max ? String(max) : text
}

/** The caret position in the shown text that has `signsBefore` characters of the number before it. */
export function caretAt(shown: string, signsBefore: number): number {
  let seen = 0
  for (let index = 0; index < shown.length; index++) {
    if (seen === signsBefore) return index
    if (/[\d.-]/.test(shown.charAt(index))) seen += 1
  }
  return shown.length
}

export const countCharacters = (text: string): number => text.replaceAll(',', '.').replace(/[^\d.-]/g, '').length
