// Computes for each rule of qualification what a player has reached and until when it counts, without side effects.
// It must agree with `qualifiedOn`: the player is qualified exactly if every rule is met.

import { daysBetween } from '@tributary/contract/period'
import type { Rates } from '../terms.ts'
import { type Amount, type Candidate, type Limits, qualifiedOn, sumIn } from './qualification.ts'

/** How far a player is with one rule of qualification. */
export interface RuleProgress {
  readonly rule: 'deposits' | 'bets' | 'country' | 'max_days'
  /** An open rule can still be met. */
  readonly state: 'met' | 'open' | 'missed'
  /** Ten-thousandths of `currencyId`, as `reached`; both are null for rules that compare no sums. */
  readonly required: bigint | null
  readonly reached: bigint | null
  readonly currencyId: number | null
  /** The last business day that counts; null without a limit. */
  readonly until: string | null
  readonly daysLeft: number | null
}

/** How far a player is from qualification. */
export interface QualificationProgress {
  readonly qualifiedOn: string | null
  /** False if no future event can make the player qualify. */
  readonly isPossible: boolean
  readonly rules: readonly RuleProgress[]
}

/** How far a player is from qualification, by the same rules. `today` is the business day. */
export function computeProgress(
  candidate: Candidate,
  limits: Limits,
  rates: Rates,
  today: string,
): QualificationProgress {
  const qualified = qualifiedOn(candidate, limits, rates)
  const deadline = (until: string | null): Pick<RuleProgress, 'until' | 'daysLeft'> => ({
    until,
    daysLeft: until === null ? null : daysBetween(today, until),
  })
  const stateOf = (isMet: boolean, until: string | null): RuleProgress['state'] =>
    isMet ? 'met' : until === null || today <= until ? 'open' : 'missed'
  const sumRule = (rule: 'deposits' | 'bets', limit: Amount, until: string | null): RuleProgress => {
    const last = earlier(until, qualified)
    const reached = candidate.days
      .filter(({ day }) => day >= candidate.registeredDay && (last === null || day <= last))
      .reduce((sum, amounts) => sum + sumIn(limit.currencyId, amounts[rule], amounts.day, rates), 0n)
    const isMet = qualified !== null || reached >= limit.amount
    return {
      rule,
      state: stateOf(isMet, until),
      required: limit.amount,
      reached,
      currencyId: limit.currencyId,
      ...deadline(until),
    }
  }
  const rules: RuleProgress[] = []
  if (limits.baseline !== null)
    rules.push(sumRule('deposits', limits.baseline, earlier(limits.depositsUntil, limits.until)))
  if (limits.bets !== null) rules.push(sumRule('bets', limits.bets, limits.until))
  const noSum = { required: null, reached: null, currencyId: null }
  if (limits.needsCountry) {
    const isMet = candidate.actualCountryId === candidate.offerCountryId
    // An unknown country (0) may still turn out to be the offer's.
    const state = isMet ? 'met' : candidate.actualCountryId === 0 ? stateOf(false, limits.until) : 'missed'
    rules.push({ rule: 'country', state, ...noSum, ...deadline(null) })
  }
  if (limits.until !== null) {
    const state = stateOf(qualified !== null, limits.until)
    rules.push({ rule: 'max_days', state, ...noSum, ...deadline(limits.until) })
  }
  return { qualifiedOn: qualified, isPossible: rules.every(({ state }) => state !== 'missed'), rules }
}

const earlier = (a: string | null, b: string | null): string | null => (a === null ? b : b === null || a <= b ? a : b)
