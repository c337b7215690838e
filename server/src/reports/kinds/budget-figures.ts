// Computes predictions, figures and warnings of the budget plan for a cell, an advertiser or the total. Money is in ten-thousandths.
import { divideHalfUp, toCents } from '@tributary/contract/money'
import type { BudgetFigures, BudgetWarning, PredictionBasis } from '@tributary/contract/reports/budget'

const TEN_THOUSAND = 10_000n
const HUNDRED = 100n
/** The pace is the mean spend of this many days. */
export const PACE_DAYS = 7
/** Predictions that derive from fewer new deposits are uncertain. */
const CERTAIN_FROM = 10n

/** The progress of the month. `completeDays` counts the days of the month before today. */
export interface MonthProgress {
  readonly days: number
  readonly completeDays: number
  readonly isCurrent: boolean
}

/** The spend of a cell, or of several cells. */
export interface SpendFacts {
  readonly actual: bigint
  /** New deposits on the complete days of the month. */
  readonly newDeposits: bigint
  readonly previous: bigint
  readonly previousNewDeposits: bigint
  /** Spend of the last PACE_DAYS complete days. */
  readonly recent: bigint
}

export const NO_SPEND: SpendFacts = { actual: 0n, newDeposits: 0n, previous: 0n, previousNewDeposits: 0n, recent: 0n }

export const addFacts = (a: SpendFacts, b: SpendFacts): SpendFacts => ({
  actual: a.actual + b.actual,
  newDeposits: a.newDeposits + b.newDeposits,
  previous: a.previous + b.previous,
  previousNewDeposits: a.previousNewDeposits + b.previousNewDeposits,
  recent: a.recent + b.recent,
})

/** The sum of the known planned amounts of some cells; whether there is any (`isKnown`), and whether one lacks a currency rate. */
export interface PlannedAmount {
  readonly amount: bigint
  readonly isKnown: boolean
  readonly isRateMissing: boolean
}

export const NO_PLAN: PlannedAmount = { amount: 0n, isKnown: false, isRateMissing: false }

export const addPlannedAmounts = (a: PlannedAmount, b: PlannedAmount): PlannedAmount => ({
  amount: a.amount + b.amount,
  isKnown: a.isKnown || b.isKnown,
  isRateMissing: a.isRateMissing || b.isRateMissing,
})

export interface Prediction {
  readonly amount: bigint | null
  readonly basis: PredictionBasis | null
  readonly isUncertain: boolean
}

type PreviousMonth = Pick<SpendFacts, 'previous' | 'previousNewDeposits'>

/**
 * Predicts the previous month's cost per new deposit × the month's new deposits at their pace so far, but at least the actual spend. A month
 * that is over ends at its actual spend.
 */
export function predictCell(
  facts: SpendFacts,
  around: { readonly advertiser: PreviousMonth; readonly country: PreviousMonth },
  { days, completeDays }: MonthProgress,
): Prediction {
  if (completeDays >= days) return { amount: facts.actual, basis: 'actual', isUncertain: false }
  if (completeDays === 0)
    return { amount: larger(facts.previous, facts.actual), basis: 'previous_spend', isUncertain: false }
  const bases = { cell: facts, ...around }
  for (const basis of ['cell', 'advertiser', 'country'] as const) {
    const { previous, previousNewDeposits } = bases[basis]
    if (previousNewDeposits <= 0n) continue
    const amount = divideHalfUp(previous * facts.newDeposits * BigInt(days), previousNewDeposits * BigInt(completeDays))
    const isUncertain = previousNewDeposits < CERTAIN_FROM || facts.newDeposits < CERTAIN_FROM
    return { amount: larger(amount ?? 0n, facts.actual), basis, isUncertain }
  }
  return { amount: null, basis: null, isUncertain: false }
}

/** Predicts spend that belongs to no cell. It has no deposits, and so no pace. */
export function predictUnallocated(
  { actual, previous }: Pick<SpendFacts, 'actual' | 'previous'>,
  { days, completeDays }: MonthProgress,
): Prediction {
  if (completeDays === 0) return { amount: larger(previous, actual), basis: 'previous_spend', isUncertain: false }
  return { amount: actual, basis: completeDays >= days ? 'actual' : null, isUncertain: false }
}

/** Sums predictions. A cell without one counts with its actual spend. */
export function addPredictions(
  cells: readonly { readonly facts: SpendFacts; readonly prediction: Prediction }[],
  { newDeposits, previousNewDeposits }: SpendFacts,
): Prediction {
  const bases = new Set(cells.flatMap(({ prediction }) => prediction.basis ?? []))
  const [basis = null] = bases
  if (cells.every(({ prediction }) => prediction.amount === null))
    return { amount: null, basis: null, isUncertain: false }
  const sum = cells.reduce((total, { facts, prediction }) => total + (prediction.amount ?? facts.actual), 0n)
  const isFew = newDeposits < CERTAIN_FROM || previousNewDeposits < CERTAIN_FROM
  return {
    amount: sum,
    basis: bases.size > 1 ? 'mixed' : basis,
    isUncertain: basis !== null && basis !== 'previous_spend' && basis !== 'actual' && isFew,
  }
}

/** Percentages and factors are in hundredths. */
export interface Thresholds {
  readonly riseFactor: bigint
  readonly overlimitDays: number
  readonly deficitPercentage: bigint
}

export interface BudgetSums {
  readonly facts: SpendFacts
  readonly planned: PlannedAmount
  readonly prediction: Prediction
}

export function toFigures({ facts, planned, prediction }: BudgetSums, progress: MonthProgress): BudgetFigures {
  return {
    actual_budget: floorText(facts.actual),
    free_budget: freeText(planned, facts.actual),
    previous: floorText(facts.previous),
    prediction: prediction.amount === null ? null : floorText(prediction.amount),
    prediction_basis: prediction.basis,
    prediction_uncertain: prediction.isUncertain,
    days_to_overlimit: daysToOverlimit(planned, facts, progress),
  }
}

export const plannedText = ({ amount, isKnown }: PlannedAmount): string | null => (isKnown ? floorText(amount) : null)

export const freeText = ({ amount, isKnown, isRateMissing }: PlannedAmount, actual: bigint): string | null =>
  isRateMissing && !isKnown ? null : floorText(amount - actual)

function daysToOverlimit(
  planned: PlannedAmount,
  { actual, recent }: SpendFacts,
  { isCurrent }: MonthProgress,
): number | null {
  if (!isCurrent || !planned.isKnown) return null
  const free = planned.amount - actual
  if (free < 0n) return 0
  return recent <= 0n ? null : Number((free * BigInt(PACE_DAYS)) / recent)
}

/** `parts` is the sum of the partner budgets of the cell; null if it must not be compared with the plan. */
export function findWarnings(
  { facts, planned, prediction }: BudgetSums,
  parts: bigint | null,
  progress: MonthProgress,
  { riseFactor, overlimitDays, deficitPercentage }: Thresholds,
): BudgetWarning[] {
  const { amount, isKnown, isRateMissing } = planned
  const { actual, previous } = facts
  const left = daysToOverlimit(planned, facts, progress)
  const isOver = isKnown && actual > amount
  // A budget that lasts to the end of the month raises no warning.
  const isSoon = left !== null && left <= overlimitDays && left < progress.days - progress.completeDays
  const expected = prediction.amount
  const holds: Record<BudgetWarning, boolean> = {
    overlimit: isOver,
    overlimit_expected: !isOver && isSoon,
    budget_deficit:
      isKnown && expected !== null && expected * TEN_THOUSAND > amount * (TEN_THOUSAND + deficitPercentage),
    spend_rise: expected !== null && previous > 0n && expected * 100n > previous * riseFactor,
    spend_without_plan: !isKnown && !isRateMissing && actual > 0n,
    parts_above_plan: parts !== null && !isRateMissing && parts > amount,
    rate_missing: isRateMissing,
  }
  // Object.keys loses the type of the keys.
  return (Object.keys(holds) as BudgetWarning[]).filter((warning) => holds[warning])
}

/** Rounds to cents as the general report does, then toward −∞ to whole units, so that a figure is the floor of the one that it opens. */
export function floorText(units: bigint): string {
  const cents = toCents(units)
  const whole = cents / HUNDRED
  return (cents < 0n && whole * HUNDRED !== cents ? whole - 1n : whole).toString()
}

const larger = (a: bigint, b: bigint): bigint => (a < b ? b : a)
