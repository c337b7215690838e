// Computes the facts of one player from the player's record and terms, without side effects.
// On days that a player report covers, its figures replace those of postbacks.

import { divideHalfUp } from '@tributary/contract/money'
import { DAY_ONLY, emptyRow, NO_DAY, NO_TIME } from '../columns.ts'
import type { DayFact, PlayerDates, PlayerDimensions, PlayerFact } from '../fact-row.ts'
import { HUNDRED_PERCENT, type OfferPartnerTerms, type OfferTerms, type Rates, toReportCurrency } from '../terms.ts'
import { priceDayOf, priceOn, shareOn } from './player-pay.ts'
import { limitsOn, type Qualification, type QualifyingDay, qualifiedOn } from './qualification.ts'

/** Days are business days 'YYYY-MM-DD'; amounts are in ten-thousandths of their own currency. */
export interface PlayerRecord {
  readonly id: number
  readonly registeredAt: string | null
  readonly registeredDay: string | null
  readonly qualification: Qualification
  readonly qualifiedAt: string | null
  readonly paymentResolution: 'approved' | 'not_approved' | null
  /** `projectPlayer` adds country_id, which is the offer's. */
  readonly dimensions: Omit<PlayerDimensions, 'country_id'>
  /** In order of time. */
  readonly events: readonly PlayerEvent[]
  readonly reports: readonly PlayerReport[]
}

/** A deposit or bet of a player, in ten-thousandths of its currency. */
export interface PlayerEvent {
  readonly type: 'dep' | 'bet'
  readonly day: string
  /** UTC, 'YYYY-MM-DD hh:mm:ss.mmm'. */
  readonly at: string
  readonly amount: bigint
  readonly currencyId: number
}

/** A day of a player report. Money is in ten-thousandths of its currency. */
export interface PlayerReport {
  readonly day: string
  readonly currencyId: number
  readonly depositsCount: number
  readonly deposits: bigint
  readonly firstDayAmount: bigint
  readonly bets: bigint
  readonly income: bigint
}

/** The terms and rates that projected players need. */
export interface Terms {
  readonly offerPartners: ReadonlyMap<number, OfferPartnerTerms>
  readonly offers: ReadonlyMap<number, OfferTerms>
  readonly rates: Rates
}

const NO_ACTIVITY = emptyRow(DAY_ONLY)

/** The facts of one player. */
export interface PlayerProjection {
  readonly player: PlayerFact
  readonly activity: readonly DayFact[]
  /** The business day on which the player qualified; null if the player is not, or no longer, qualified. */
  readonly qualifiedOn: string | null
}

/** One day under construction; money is in the report currency, except for `original`, the income in its own currency. */
interface Day {
  readonly day: string
  source: 'none' | 'postback' | 'report'
  depositsCount: number
  deposits: bigint
  firstDayAmount: bigint
  bets: bigint
  income: bigint
  original: bigint
  currencyId: number
  /** The earliest deposit that a postback reported; `at` is UTC, 'YYYY-MM-DD hh:mm:ss.mmm'. */
  earliest: { at: string; amount: bigint } | undefined
  isRateMissing: boolean
}

/** The facts of a player: days, qualification, price. Sums are bigint in the units of facts. Pure. */
export function projectPlayer(record: PlayerRecord, terms: Terms): PlayerProjection {
  const offerPartner = terms.offerPartners.get(record.dimensions.offer_partner_id)
  const offer = terms.offers.get(offerPartner?.offerId ?? record.dimensions.offer_id)
  const days = sumDays(record, terms.rates)
  const qualified = findQualifiedDay(record, offerPartner, offer, terms.rates)
  const price = qualified === null ? NO_PRICE : findCpaPrice(record, qualified, offerPartner, offer, terms.rates)
  const firstDeposit = days.find((day) => day.depositsCount > 0)
  const dates: PlayerDates = {
    registered_day: record.registeredDay ?? NO_DAY,
    first_deposit_day: firstDeposit?.day ?? NO_DAY,
    qualified_day: qualified ?? NO_DAY,
    qualification: qualified !== null ? 'qualified' : record.qualification === 'unqualified' ? 'unqualified' : 'lost',
  }
  const dimensions: PlayerDimensions = { ...record.dimensions, country_id: offer?.countryId ?? 0 }
  const activity = fillDays(days, record.registeredDay, qualified).map((day): DayFact => {
    const isFirst = day === firstDeposit
    const isQualified = day.day === qualified
    const share = offerPartner === undefined || offer === undefined ? null : shareOn(offerPartner, offer, day.day)
    return {
      ...NO_ACTIVITY,
      player_id: record.id,
      day: day.day,
      source: day.source,
      registrations: day.day === record.registeredDay ? 1 : 0,
      first_deposits: isFirst ? 1 : 0,
      qualified_players: isQualified ? 1 : 0,
      deposits_count: day.depositsCount,
      deposits: day.deposits,
      first_amount: isFirst ? firstAmountOf(day) : 0n,
      first_day_amount: isFirst ? firstDayAmountOf(day) : 0n,
      bets: day.bets,
      income: day.income,
      cpa_spend: isQualified ? price.amount : 0n,
      rs_spend: share === null ? 0n : takeShare(day.income, share),
      rate_missing: day.isRateMissing || (isQualified && price.isRateMissing) ? 1 : 0,
      ...(isQualified && { cpa_original: price.original, cpa_currency_id: price.currencyId }),
      ...(day.original !== 0n && { income_original: day.original, income_currency_id: day.currencyId }),
      ...(day.original !== 0n && share !== null && { rs_rate: share, rs_original: takeShare(day.original, share) }),
    }
  })
  fillPreviousDays(activity)
  const player: PlayerFact = {
    player_id: record.id,
    ...dates,
    ...dimensions,
    registered_at: record.registeredAt ?? NO_TIME,
    first_deposit_at: firstDeposit?.earliest?.at ?? NO_TIME,
    payment_resolution: record.paymentResolution ?? 'none',
    cpa_spend: price.amount,
    rate_missing: price.isRateMissing || activity.some((row) => row.rate_missing === 1) ? 1 : 0,
  }
  return { player, activity, qualifiedOn: qualified }
}

/** Days with figures, in ascending order. Each amount is converted and rounded before it is summed. */
function sumDays(record: PlayerRecord, rates: Rates): Day[] {
  const days = new Map<string, Day>()
  const open = (day: string): Day => {
    const existing = days.get(day)
    if (existing !== undefined) return existing
    const fresh = emptyDay(day)
    days.set(day, fresh)
    return fresh
  }
  const inReportCurrency = (day: Day, amount: bigint, currencyId: number): bigint => {
    const converted = toReportCurrency(rates, amount, currencyId, day.day)
    if (converted === null) day.isRateMissing = true
    return converted ?? 0n
  }
  for (const event of record.events) {
    const day = open(event.day)
    const amount = inReportCurrency(day, event.amount, event.currencyId)
    day.source = 'postback'
    if (event.type === 'bet') day.bets += amount
    else {
      day.depositsCount++
      day.deposits += amount
      day.earliest ??= { at: event.at, amount }
    }
  }
  for (const report of record.reports) {
    const fromPostbacks = days.get(report.day)
    const day: Day = { ...emptyDay(report.day), source: 'report', earliest: fromPostbacks?.earliest }
    days.set(report.day, day)
    day.depositsCount = report.depositsCount
    day.deposits = inReportCurrency(day, report.deposits, report.currencyId)
    day.firstDayAmount = inReportCurrency(day, report.firstDayAmount, report.currencyId)
    day.bets = inReportCurrency(day, report.bets, report.currencyId)
    day.income = inReportCurrency(day, report.income, report.currencyId)
    day.original = report.income
    day.currencyId = report.currencyId
  }
  return [...days.values()].filter(hasFigures).sort(byDay)
}

const emptyDay = (day: string): Day => ({
  day,
  source: 'none',
  depositsCount: 0,
  deposits: 0n,
  firstDayAmount: 0n,
  bets: 0n,
  income: 0n,
  original: 0n,
  currencyId: 0,
  earliest: undefined,
  isRateMissing: false,
})

const hasFigures = (day: Day): boolean =>
  day.depositsCount !== 0 ||
  day.deposits !== 0n ||
  day.bets !== 0n ||
  day.income !== 0n ||
  day.original !== 0n ||
  day.isRateMissing

const byDay = (a: Day, b: Day): number => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)

/** Adds the days of registration and qualification, because they count even without figures. */
function fillDays(days: readonly Day[], ...more: readonly (string | null)[]): Day[] {
  const present = new Set(days.map((day) => day.day))
  const missing = [...new Set(more)].filter((day) => day !== null).filter((day) => !present.has(day))
  return [...days, ...missing.map(emptyDay)].sort(byDay)
}

/** A report that counts several deposits has no amount of the first one, so the earliest postback of that day supplies it. */
function firstAmountOf(day: Day): bigint {
  if (day.source === 'report' && day.depositsCount === 1) return day.deposits
  return day.earliest?.amount ?? firstDayAmountOf(day)
}

const firstDayAmountOf = (day: Day): bigint => (day.firstDayAmount === 0n ? day.deposits : day.firstDayAmount)

function findQualifiedDay(
  record: PlayerRecord,
  offerPartner: OfferPartnerTerms | undefined,
  offer: OfferTerms | undefined,
  rates: Rates,
): string | null {
  if (record.registeredDay === null || offerPartner === undefined || offer === undefined) return null
  const candidate = {
    registeredDay: record.registeredDay,
    actualCountryId: record.dimensions.actual_country_id,
    offerCountryId: offer.countryId,
    days: qualifyingDays(record),
  }
  return qualifiedOn(candidate, limitsOn(record.registeredDay, offerPartner, offer), rates)
}

/** The amounts that count towards qualification, by ascending day: those of the player report where one covers the day, else of postbacks. */
export function qualifyingDays(record: PlayerRecord): QualifyingDay[] {
  const days = new Map<
    string,
    { deposits: { amount: bigint; currencyId: number }[]; bets: { amount: bigint; currencyId: number }[] }
  >()
  for (const event of record.events) {
    const day = days.get(event.day) ?? { deposits: [], bets: [] }
    days.set(event.day, day)
    const into = event.type === 'bet' ? day.bets : day.deposits
    into.push({ amount: event.amount, currencyId: event.currencyId })
  }
  for (const { day, currencyId, deposits, bets } of record.reports) {
    days.set(day, { deposits: [{ amount: deposits, currencyId }], bets: [{ amount: bets, currencyId }] })
  }
  return [...days].map(([day, amounts]) => ({ day, ...amounts })).sort((a, b) => (a.day < b.day ? -1 : 1))
}

interface Price {
  readonly amount: bigint
  readonly original: bigint
  readonly currencyId: number
  readonly isRateMissing: boolean
}

const NO_PRICE: Price = { amount: 0n, original: 0n, currencyId: 0, isRateMissing: false }

/** The CPA price of the player, converted by the rate of the day of qualification, on which it counts. */
function findCpaPrice(
  record: PlayerRecord,
  day: string,
  offerPartner: OfferPartnerTerms | undefined,
  offer: OfferTerms | undefined,
  rates: Rates,
): Price {
  if (offerPartner === undefined || offer === undefined || record.paymentResolution === 'not_approved') return NO_PRICE
  const price = priceOn(offerPartner, offer, priceDayOf(offer, record.registeredDay ?? day, day))
  if (price === null) return NO_PRICE
  const amount = toReportCurrency(rates, price.amount, price.currencyId, day)
  return {
    amount: amount ?? 0n,
    original: price.amount,
    currencyId: price.currencyId,
    isRateMissing: amount === null,
  }
}

const takeShare = (income: bigint, percentage: bigint): bigint =>
  divideHalfUp(income * percentage, HUNDRED_PERCENT) ?? 0n

function fillPreviousDays(activity: readonly DayFact[]): void {
  let previous = NO_DAY
  let previousBet = NO_DAY
  for (const row of activity) {
    row.previous_day = previous
    row.previous_bet_day = previousBet
    previous = row.day
    if (row.bets > 0n) previousBet = row.day
  }
}
