// Computes the day on which a player qualified, by the terms in force on the day of registration. It has no side effects.

import { addDays } from '@tributary/contract/period'
import { convert, type Dated, type OfferPartnerTerms, type OfferTerms, type Rates, valueInForce } from '../terms.ts'

/** A `lost` player can no longer qualify. */
export type Qualification = 'qualified' | 'unqualified' | 'lost'

/** An amount in ten-thousandths of its own currency. */
export interface Amount {
  readonly amount: bigint
  readonly currencyId: number
}

/** The amounts of one business day that count towards qualification. */
export interface QualifyingDay {
  readonly day: string
  readonly deposits: readonly Amount[]
  readonly bets: readonly Amount[]
}

/** What a player must reach, and by when. */
export interface Limits {
  readonly baseline: Amount | null
  readonly bets: Amount | null
  /** Last day whose deposits count; null without a limit. */
  readonly depositsUntil: string | null
  /** Last day on which the player can qualify; null without a limit. */
  readonly until: string | null
  readonly needsCountry: boolean
}

/** Each value comes from the partner offer, else (baseline and period) from the offer. Null means no limit. */
export function limitsOn(registeredDay: string, offerPartner: OfferPartnerTerms, offer: OfferTerms): Limits {
  const own = <T>(dated: Dated<T>): T => valueInForce(dated, registeredDay)
  const offered = valueInForce(offer.values, registeredDay)
  const currencyId = own(offerPartner.currencyId)
  const [baseline, bets, maxDays] = [own(offerPartner.baseline), own(offerPartner.bets), own(offerPartner.maxDays)]
  const period = own(offerPartner.periodDays) ?? offered.days
  const ofOffer = offered.baseline === null ? null : { amount: offered.baseline, currencyId: offered.currencyId }
  return {
    baseline: baseline === null ? ofOffer : { amount: baseline, currencyId },
    bets: bets === null ? null : { amount: bets, currencyId },
    depositsUntil: period === null ? null : addDays(registeredDay, period),
    until: maxDays === null ? null : addDays(registeredDay, maxDays),
    needsCountry: own(offerPartner.needsCountry),
  }
}

/** A player as qualification judges them. */
export interface Candidate {
  readonly registeredDay: string
  readonly actualCountryId: number
  readonly offerCountryId: number
  /** In ascending order; days before registration do not count. */
  readonly days: readonly QualifyingDay[]
}

/** The first day on which all limits are met; null without one. An amount without a rate counts as 0. */
export function qualifiedOn(candidate: Candidate, limits: Limits, rates: Rates): string | null {
  if (limits.needsCountry && candidate.actualCountryId !== candidate.offerCountryId) return null
  let deposits = 0n
  let bets = 0n
  const holds = (): boolean =>
    (limits.baseline === null || deposits >= limits.baseline.amount) &&
    (limits.bets === null || bets >= limits.bets.amount)
  if (holds()) return withinLimit(candidate.registeredDay, limits)
  for (const { day, deposits: paid, bets: staked } of candidate.days) {
    if (day < candidate.registeredDay) continue
    if (limits.baseline !== null && (limits.depositsUntil === null || day <= limits.depositsUntil)) {
      deposits += sumIn(limits.baseline.currencyId, paid, day, rates)
    }
    if (limits.bets !== null) bets += sumIn(limits.bets.currencyId, staked, day, rates)
    if (holds()) return withinLimit(day, limits)
  }
  return null
}

const withinLimit = (day: string, limits: Limits): string | null =>
  limits.until === null || day <= limits.until ? day : null

/** Sums amounts in one currency by the rates of the day. An amount without a rate counts as 0. */
export function sumIn(currencyId: number, amounts: readonly Amount[], day: string, rates: Rates): bigint {
  let sum = 0n
  for (const { amount, currencyId: from } of amounts) sum += convert(rates, amount, from, currencyId, day) ?? 0n
  return sum
}

/** The next state of the player. A player who was qualified and no longer is becomes 'lost' until the limits are met again. */
export function nextQualification(current: Qualification, day: string | null): Qualification {
  if (day !== null) return 'qualified'
  return current === 'unqualified' ? 'unqualified' : 'lost'
}
