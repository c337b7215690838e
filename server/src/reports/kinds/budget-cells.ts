// Joins plans, partner budgets and spend to the cells of the budget plan: one cell per advertiser and country.
import {
  addFacts,
  addPlannedAmounts,
  type BudgetSums,
  type MonthProgress,
  NO_PLAN,
  NO_SPEND,
  type PlannedAmount,
  predictCell,
  type SpendFacts,
} from './budget-figures.ts'
import type { AdvertiserCountry, NetworkPlan, PartnerPlan } from './budget-plans.ts'
import { cellKey, type MonthSpend } from './budget-spend.ts'

export interface CellPartner {
  readonly partner: number
  readonly plan: PartnerPlan | null
  readonly planned: PlannedAmount
  readonly actual: bigint
}

export interface BudgetCell extends AdvertiserCountry, BudgetSums {
  /** Null without a plan, or if the query is narrowed to partners. */
  readonly plan: NetworkPlan | null
  /** The network has a plan, even if the query is narrowed to partners without a part of it. */
  readonly isPlanned: boolean
  /** Partners with a part or with spend. */
  readonly partners: readonly CellPartner[]
}

export interface CellSources {
  readonly spend: MonthSpend
  /** Those of the whole network. */
  readonly plans: readonly NetworkPlan[]
  readonly parts: readonly PartnerPlan[]
  /** Cells to include even without plan and spend. */
  readonly countries: readonly AdvertiserCountry[]
  /** The viewer sees only some partners: planned amounts are the sums of their parts. */
  readonly isNarrowed: boolean
}

export function joinCells(
  { spend, plans, parts, countries, isNarrowed }: CellSources,
  month: MonthProgress,
): BudgetCell[] {
  const keyOf = ({ advertiser, country }: AdvertiserCountry): string => cellKey(advertiser, country)
  const spent = [...spend.cells.values()]
  const own = isNarrowed ? [] : plans
  const places = new Map([...spent, ...own, ...parts, ...countries].map((place) => [keyOf(place), place]))
  const planOf = new Map(plans.map((plan) => [keyOf(plan), plan]))
  const partsOf = Map.groupBy(parts, keyOf)
  const advertisers = sumsBy(spent, ({ advertiser }) => advertiser)
  const byCountry = sumsBy(spent, ({ country }) => country)
  return [...places].map(([key, { advertiser, country }]): BudgetCell => {
    const cell = spend.cells.get(key)
    const facts = cell?.facts ?? NO_SPEND
    const plan = planOf.get(key) ?? null
    const ownParts = partsOf.get(key) ?? []
    const around = {
      advertiser: advertisers.get(advertiser) ?? NO_SPEND,
      country: byCountry.get(country) ?? NO_SPEND,
    }
    return {
      advertiser,
      country,
      plan: isNarrowed ? null : plan,
      isPlanned: plan !== null,
      facts,
      planned: isNarrowed ? ownParts.map(plannedAmount).reduce(addPlannedAmounts, NO_PLAN) : plannedAmount(plan),
      prediction: predictCell(facts, around, month),
      partners: joinPartners(ownParts, cell?.partners ?? new Map()),
    }
  })
}

function sumsBy<P extends { readonly facts: SpendFacts }>(
  cells: readonly P[],
  keyOf: (cell: P) => number,
): Map<number, SpendFacts> {
  const sums = new Map<number, SpendFacts>()
  for (const cell of cells) sums.set(keyOf(cell), addFacts(sums.get(keyOf(cell)) ?? NO_SPEND, cell.facts))
  return sums
}

function joinPartners(parts: readonly PartnerPlan[], spends: ReadonlyMap<number, bigint>): CellPartner[] {
  const partOf = new Map(parts.map((part) => [part.partner, part]))
  const spending = [...spends].flatMap(([partner, actual]) => (actual === 0n ? [] : [partner]))
  return [...new Set([...partOf.keys(), ...spending])].map((partner) => {
    const plan = partOf.get(partner) ?? null
    return { partner, plan, planned: plannedAmount(plan), actual: spends.get(partner) ?? 0n }
  })
}

const plannedAmount = (plan: { readonly amount: bigint | null } | null): PlannedAmount =>
  plan === null
    ? NO_PLAN
    : { amount: plan.amount ?? 0n, isKnown: plan.amount !== null, isRateMissing: plan.amount === null }
