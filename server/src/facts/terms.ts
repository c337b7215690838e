// The terms under which a player's day becomes money: what a partner offer and its offer say, what their histories said on a day, and the rates.
// Money is bigint in ten-thousandths of its currency; a day is 'YYYY-MM-DD'; null is 'not limited' or 'not known'.

import { divideHalfUp } from '@tributary/contract/money'

export type PaymentModelType = 'CPA' | 'RS' | 'CPA_RS' | 'AGENCY'

/** One range of a history; `to` null is open. Ranges of one owner never overlap. */
export interface Range<T = bigint> {
  readonly from: string
  readonly to: string | null
  readonly value: T
}

/** A value that ranges give on their days, and `otherwise` on all others. */
export interface Dated<T> {
  readonly ranges: readonly Range<T>[]
  readonly otherwise: T
}

/** Days are plain numbers as bigint, money in ten-thousandths of the partner offer's currency. */
export interface Histories {
  readonly cost: readonly Range[]
  readonly baseline: readonly Range[]
  readonly period: readonly Range[]
  readonly bets: readonly Range[]
  readonly maxDays: readonly Range[]
}

export interface OfferPartnerTerms {
  readonly id: number
  readonly offerId: number
  readonly currencyId: number
  readonly baseline: bigint | null
  readonly periodDays: number | null
  readonly maxDays: number | null
  readonly bets: bigint | null
  readonly needsCountry: boolean
  readonly histories: Histories
}

export interface OfferTerms {
  readonly id: number
  readonly countryId: number
  readonly type: PaymentModelType
  /** CPA: the price of a player; RS: the percentage. */
  readonly cost: bigint
  readonly currencyId: number
  readonly days: number | null
  readonly baseline: bigint | null
  /** The model's own figure: for CPA_RS the percentage beside the price. */
  readonly modelShare: Dated<bigint | null>
}

/** Per currency its days in order and their rates, in hundred-millionths of the report currency. */
export type RateTable = ReadonlyMap<number, { readonly days: readonly string[]; readonly rates: readonly bigint[] }>

export interface Rates {
  readonly reportCurrencyId: number
  readonly table: RateTable
}

const RATE_ONE = 100_000_000n
/** 100 % in ten-thousandths of a percent. */
export const WHOLE = 1_000_000n

const rangeOn = <T>(ranges: readonly Range<T>[], day: string): Range<T> | undefined =>
  ranges.find(({ from, to }) => from <= day && (to === null || day <= to))

/** The value of the range that contains the day; null if there is none. */
export const valueOn = (ranges: readonly Range[], day: string): bigint | null => rangeOn(ranges, day)?.value ?? null

/** The value in force on a day. A range may say that there is none. */
export function inForce<T>({ ranges, otherwise }: Dated<T>, day: string): T {
  const range = rangeOn(ranges, day)
  return range === undefined ? otherwise : range.value
}

/** The latest rate on the day or before it; null when there is none. */
export function rateOn(rates: Rates, currencyId: number, day: string): bigint | null {
  if (currencyId === rates.reportCurrencyId) return RATE_ONE
  const known = rates.table.get(currencyId)
  if (known === undefined) return null
  let low = 0
  let high = known.days.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((known.days[middle] ?? '') <= day) low = middle + 1
    else high = middle
  }
  return low === 0 ? null : (known.rates[low - 1] ?? null)
}

/** In the report currency, rounded half-up to ten-thousandths; null without a rate. */
export function toReportCurrency(rates: Rates, amount: bigint, currencyId: number, day: string): bigint | null {
  if (amount === 0n) return 0n
  const rate = rateOn(rates, currencyId, day)
  return rate === null ? null : divideHalfUp(amount * rate, RATE_ONE)
}

/** From one currency to another by the day's rates: untouched when they are the same. */
export function convert(rates: Rates, amount: bigint, from: number, to: number, day: string): bigint | null {
  if (from === to || amount === 0n) return amount
  const source = rateOn(rates, from, day)
  const target = rateOn(rates, to, day)
  return source === null || target === null ? null : divideHalfUp(amount * source, target)
}
