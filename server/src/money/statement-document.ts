// What the documents of a statement show. The PDF and the workbook are made of it alone.
import type { Language } from '@tributary/contract/language'
import { divideHalfUp, formatMoney, toCents, unitsOf } from '@tributary/contract/money'
import type { StatementLineKind } from '@tributary/contract/statement'
import type { StatementWords } from '@tributary/contract/words/en/statement'
import { statementWordsEn } from '@tributary/contract/words/en/statement'
import { statementWordsRu } from '@tributary/contract/words/ru/statement'
import { HUNDRED_PERCENT } from '../facts/terms.ts'

export const STATEMENT_WORDS: Readonly<Record<Language, StatementWords>> = {
  en: statementWordsEn,
  ru: statementWordsRu,
}

/** Amounts and rates are decimal texts. */
export interface DocumentLine {
  readonly kind: StatementLineKind
  /** An adjustment's kind and note or the reason of a carry-over, and the partner offer. */
  readonly title: string
  readonly earned_month: string | null
  readonly quantity: number | null
  readonly rate: string | null
  readonly base: string | null
  readonly amount: string
  readonly currency: string
  readonly fx_rate: string
  /** In the currency of the statement. */
  readonly total: string
}

export interface StatementDocument {
  readonly number: number
  readonly month: string
  readonly approved_on: string
  /** Null if there is nothing to pay. */
  readonly due_on: string | null
  readonly partner: string
  readonly legal_name: string | null
  readonly tax_id: string | null
  /** Who issues and pays it: a legal name and an address; null if the settings name nobody. */
  readonly issuer: string | null
  /** The partner's account, masked. */
  readonly account: string | null
  /** In the language of the document. */
  readonly method: string
  readonly currency: string
  readonly lines: readonly DocumentLine[]
  readonly total: string
  readonly verify_url: string
}

const MINUS = '\u2212'

/** '-1234.5000' → '−1 234.50' with a true minus, rounded half away from zero; other scales keep their digits. */
export function showAmount(text: string): string {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const digits = `${whole}${fraction.padEnd(4, '0').slice(0, 4)}`
  const cents = (BigInt(digits) + 50n) / 100n
  const shown = cents.toString().padStart(3, '0')
  const grouped = shown.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ' ')
  return `${text.startsWith('-') && cents > 0n ? MINUS : ''}${grouped}.${shown.slice(-2)}`
}

/** Removes zeros at the end: '25.0000' → '25'. */
export const showRate = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** What the agency percentage adds to the entered spend, both rounded: 'fee 160.01 EUR'; empty for other lines. */
export function showFee({ kind, amount, base, currency }: DocumentLine, words: StatementWords): string {
  if (kind !== 'agency' || base === null) return ''
  const fee = unitsOf(amount) - toCents(unitsOf(base)) * 100n
  return `${words.fee} ${showAmount(formatMoney(fee))} ${currency}`
}

/**
 * What makes a revenue share, or a spend with its agency percentage, another sum than its percentage of the base, where cents differ: 'rounding
 * 0.0075 EUR'. A correction, for example, is the difference of two rounded totals. Empty for other lines.
 */
export function showRounding({ kind, amount, base, rate, currency }: DocumentLine, words: StatementWords): string {
  if ((kind !== 'rs' && kind !== 'agency') || base === null || rate === null) return ''
  const percentage = unitsOf(rate) + (kind === 'agency' ? HUNDRED_PERCENT : 0n)
  const share = divideHalfUp(unitsOf(base) * percentage, HUNDRED_PERCENT) ?? 0n
  const rest = unitsOf(amount) - share
  if (toCents(share) * 100n === unitsOf(amount)) return ''
  return `${words.rounding} ${showRate(formatMoney(rest)).replace('-', MINUS)} ${currency}`
}
