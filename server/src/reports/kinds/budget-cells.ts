// Joins plans, partners' parts and spend to the cells of the budget plan: one for each advertiser's country. Pure.
import {
  type Appraised,
  addFacts,
  addPlanned,
  type MonthProgress,
  NO_SPEND,
  NOT_PLANNED,
  type Planned,
  predictCell,
  type SpendFacts,
} from './budget-figures.ts'
import type { AdvertiserCountry, NetworkPlan, PartnerPlan } from './budget-plans.ts'
import { cellKey, type MonthSpend } from './budget-spend.ts'

export interface CellPartner {
  readonly partner: number
  readonly plan: PartnerPlan | null
  readonly planned: Planned
  readonly actual: bigint
}

export interface BudgetCell extends AdvertiserCountry, Appraised {
  /** Null where the plan is the sum of partners' parts. */
  readonly plan: NetworkPlan | null
  /** With a part or with spend. */
  readonly partners: readonly CellPartner[]
}

export interface CellSources {
  readonly spend: MonthSpend
  readonly plans: readonly NetworkPlan[]
  readonly parts: readonly PartnerPlan[]
  /** Cells that are there without plan and spend. */
  readonly countries: readonly AdvertiserCountry[]
  readonly isNarrowed: boolean
}

export function joinCells(
  { spend, plans, parts, countries, isNarrowed }: CellSources,
  month: MonthProgress,
): BudgetCell[] {
  const keyOf = ({ advertiser, country }: AdvertiserCountry): string => cellKey(advertiser, country)
  const spent = [...spend.cells.values()]
  const places = new Map([...spent, ...plans, ...parts, ...countries].map((place) => [keyOf(place), place]))
  const planOf = new Map(plans.map((plan) => [keyOf(plan), plan]))
  const partsOf = Map.groupBy(parts, keyOf)
  const advertisers = sumsBy(spent, ({ advertiser }) => advertiser)
  const byCountry = sumsBy(spent, ({ country }) => country)
  return [...places].map(([key, { advertiser, country }]): BudgetCell => {
    const cell = spend.cells.get(key)
    const facts = cell?.facts ?? NO_SPEND
    const plan = planOf.get(key) ?? null
    const own = partsOf.get(key) ?? []
    const around = {
      advertiser: advertisers.get(advertiser) ?? NO_SPEND,
      country: byCountry.get(country) ?? NO_SPEND,
    }
    return {
      advertiser,
      country,
      plan,
      facts,
      planned: isNarrowed ? own.map(plannedOf).reduce(addPlanned, NOT_PLANNED) : plannedOf(plan),
      prediction: predictCell(facts, around, month),
      partners: partnersOf(own, cell?.partners ?? new Map()),
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

function partnersOf(parts: readonly PartnerPlan[], spends: ReadonlyMap<number, bigint>): CellPartner[] {
  const partOf = new Map(parts.map((part) => [part.partner, part]))
  const spending = [...spends].flatMap(([partner, actual]) => (actual === 0n ? [] : [partner]))
  return [...new Set([...partOf.keys(), ...spending])].map((partner) => {
    const plan = partOf.get(partner) ?? null
    return { partner, plan, planned: plannedOf(plan), actual: spends.get(partner) ?? 0n }
  })
}

const plannedOf = (plan: { readonly amount: bigint | null } | null): Planned =>
  plan === null
    ? NOT_PLANNED
    : { amount: plan.amount ?? 0n, isKnown: plan.amount !== null, isRateMissing: plan.amount === null }
