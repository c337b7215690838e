// The terms that price a player's day: fields and histories of the partner offer and its offer, and currency rates.
// Money is bigint in ten-thousandths of its currency. A day is 'YYYY-MM-DD'. Null means "no limit" or "unknown".

import { divideHalfUp } from '@tributary/contract/money'

/** What a partner is paid by: price per player, share of income, both, or their own spend with a percentage. */
export type PaymentModelType = 'CPA' | 'RS' | 'CPA_RS' | 'AGENCY'

/** One range of a history, both days included; `to` null is open-ended. Ranges of one owner never overlap. */
export interface Range<T = bigint> {
  readonly from: string
  readonly to: string | null
  readonly value: T
}

/** A value by day: that of the range that contains the day, else `otherwise`. */
export interface Dated<T> {
  readonly ranges: readonly Range<T>[]
  readonly otherwise: T
}

/** Amounts are in ten-thousandths of the partner offer's currency on that day, percentages in ten-thousandths of a percent. */
export interface OfferPartnerTerms {
  readonly id: number
  readonly offerId: number
  readonly currencyId: Dated<number>
  /** The price of a player; on other days the offer's cost applies. */
  readonly costs: readonly Range[]
  /** The percentage of income; on other days that of the offer applies. */
  readonly shares: readonly Range[]
  readonly baseline: Dated<bigint | null>
  readonly periodDays: Dated<number | null>
  readonly maxDays: Dated<number | null>
  readonly bets: Dated<bigint | null>
  readonly needsCountry: Dated<boolean>
}

/** The day whose price a player has. */
export type PriceDay = 'qualification' | 'registration'

/** Dated terms of a payment model. Shares are in ten-thousandths of a percent. */
export interface PaymentModelTerms {
  readonly type: PaymentModelType
  readonly share: Dated<bigint | null>
  /** Read on the day of registration. */
  readonly priceDay: Dated<PriceDay>
}

/** The terms of an offer on one day. */
export interface OfferValues {
  /** The price of a player. */
  readonly cost: bigint | null
  /** The percentage of income; null: that of the payment model applies. */
  readonly share: bigint | null
  readonly currencyId: number
  readonly days: number | null
  readonly baseline: bigint | null
}

/** Dated terms of an offer. */
export interface OfferTerms {
  readonly id: number
  readonly countryId: number
  readonly model: Dated<PaymentModelTerms>
  readonly values: Dated<OfferValues>
}

/** For each currency: its days in ascending order, and their rates in hundred-millionths of the report currency. */
export type RateTable = ReadonlyMap<number, { readonly days: readonly string[]; readonly rates: readonly bigint[] }>

/** Rates of currencies to the report currency. */
export interface Rates {
  readonly reportCurrencyId: number
  readonly table: RateTable
}

const RATE_SCALE = 100_000_000n
/** In ten-thousandths of a percent. */
export const HUNDRED_PERCENT = 1_000_000n

const rangeOn = <T>(ranges: readonly Range<T>[], day: string): Range<T> | undefined =>
  ranges.find(({ from, to }) => from <= day && (to === null || day <= to))

/** The value of the range that contains the day; null without such a range. */
export const valueOn = (ranges: readonly Range[], day: string): bigint | null => rangeOn(ranges, day)?.value ?? null

/** The value in force on a day. A range may hold null itself, which differs from `otherwise`. */
export function valueInForce<T>({ ranges, otherwise }: Dated<T>, day: string): T {
  const range = rangeOn(ranges, day)
  return range === undefined ? otherwise : range.value
}

/** The latest rate on or before the day; null without one. */
export function rateOn(rates: Rates, currencyId: number, day: string): bigint | null {
  if (currencyId === rates.reportCurrencyId) return RATE_SCALE
  const currency = rates.table.get(currencyId)
  if (currency === undefined) return null
  let low = 0
  let high = currency.days.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((currency.days[middle] ?? '') <= day) low = middle + 1
    else high = middle
  }
  return low === 0 ? null : (currency.rates[low - 1] ?? null)
}

/** The amount in the report currency, rounded half-up to ten-thousandths; null without a rate. */
export function toReportCurrency(rates: Rates, amount: bigint, currencyId: number, day: string): bigint | null {
  if (amount === 0n) return 0n
  const rate = rateOn(rates, currencyId, day)
  return rate === null ? null : divideHalfUp(amount * rate, RATE_SCALE)
}

/** Converts by the day's rates; the same currency needs none. Null without a rate. */
export function convert(rates: Rates, amount: bigint, from: number, to: number, day: string): bigint | null {
  if (from === to || amount === 0n) return amount
  const source = rateOn(rates, from, day)
  const target = rateOn(rates, to, day)
  return source === null || target === null ? null : divideHalfUp(amount * source, target)
}
