// Reads the spend of a month with runs of the general report, so that unrounded figures equal those of the report.

import { addDays, daysBetween, earlierDay, type Period } from '@tributary/contract/period'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import type { Components, ExactNumber } from '../engine/components.ts'
import type { ReportContext } from '../engine/context.ts'
import type { SummedRow } from '../engine/read-rows.ts'
import type { SummedReport } from '../engine/roll-up.ts'
import { sumReport } from '../engine/run-report.ts'
import { addFacts, type MonthProgress, NO_SPEND, PACE_DAYS, type SpendFacts } from './budget-figures.ts'

const CELLS = ['advertiser', 'country'] as const satisfies readonly DimensionName[]
/** What a month's unallocated spend is judged by, wherever it is shown. */
export const CELLS_BY_PARTNER = [...CELLS, 'partner'] as const

/** A month as of a day. `spent` has its days up to that day; null before the month begins. */
export interface BudgetMonth extends MonthProgress {
  /** The first day of the month. */
  readonly first: string
  readonly last: string
  readonly today: string
  readonly spent: Period | null
}

/** `month` is 'YYYY-MM'. */
export function openMonth(month: string, today: string): BudgetMonth {
  const first = `${month}-01`
  const next = `${addDays(first, 31).slice(0, 7)}-01`
  const last = addDays(next, -1)
  const days = Number(last.slice(8))
  const isCurrent = today >= first && today <= last
  const completeDays = today < first ? 0 : today > last ? days : Number(today.slice(8)) - 1
  const spent = today < first ? null : { from: first, to: earlierDay(today, last) }
  return { first, last, today, days, completeDays, isCurrent, spent }
}

export interface SpentCell {
  readonly advertiser: number
  readonly country: number
  readonly facts: SpendFacts
  /** Spend of each partner in the month. */
  readonly partners: ReadonlyMap<number, bigint>
}

export interface MonthSpend {
  /** By `cellKey`. */
  readonly cells: ReadonlyMap<string, SpentCell>
  /** The total including unallocated spend, which belongs to no cell. */
  readonly total: SpendFacts
  /** The spend of the month that cells carry. */
  readonly allocated: bigint
  readonly unallocated: SummedReport['unallocated']
  readonly isRateMissing: boolean
  /** The days of the month so far in ascending order, with unallocated spend included. */
  readonly days: readonly { readonly day: string; readonly spend: bigint }[]
}

export const cellKey = (advertiser: number, country: number): string => `${advertiser}:${country}`

export async function readMonthSpend(month: BudgetMonth, context: ReportContext): Promise<MonthSpend> {
  const { first, spent, today, completeDays, isCurrent } = month
  const previous = { from: `${addDays(first, -1).slice(0, 7)}-01`, to: addDays(first, -1) }
  const complete = completeDays === 0 ? null : { from: first, to: addDays(first, completeDays - 1) }
  const pace = { from: addDays(today, -PACE_DAYS), to: addDays(today, -1) }
  const [now, before, recent, daily] = await Promise.all([
    spent === null ? null : run(CELLS_BY_PARTNER, spent, context, complete),
    run(CELLS, previous, context),
    isCurrent ? run(CELLS, pace, context) : null,
    spent === null ? null : run(['day'], spent, context),
  ])
  const cells = new Map<string, SpentCell>()
  const add = (
    summed: SummedReport | null,
    factsOf: (components: Components) => Partial<SpendFacts>,
    isNow = false,
  ) => {
    for (const { advertiser, country, components, children } of toCellRows(summed)) {
      const key = cellKey(advertiser, country)
      const { facts, partners } = cells.get(key) ?? { facts: NO_SPEND, partners: new Map<number, bigint>() }
      const spends = children.map(({ ids, components: own }): [number, bigint] => [Number(ids[0]), totalSpend(own)])
      cells.set(key, {
        advertiser,
        country,
        facts: addFacts(facts, { ...NO_SPEND, ...factsOf(components) }),
        partners: isNow ? new Map(spends) : partners,
      })
    }
  }
  const ofNow = (components: Components) => ({
    actual: totalSpend(components),
    newDeposits: complete === null ? 0n : toBigint(components.new_deposits_2),
  })
  const ofPrevious = (components: Components) => ({
    previous: totalSpend(components),
    previousNewDeposits: toBigint(components.new_deposits),
  })
  const ofRecent = (components: Components) => ({ recent: totalSpend(components) })
  add(now, ofNow, true)
  add(before, ofPrevious)
  add(recent, ofRecent)
  return {
    cells,
    total: {
      ...NO_SPEND,
      ...ofNow(now?.total ?? {}),
      ...ofPrevious(before.total),
      ...ofRecent(recent?.total ?? {}),
    },
    // The second period lies within the first, so the first one contains all unallocated spend.
    unallocated: now?.unallocated ?? [],
    isRateMissing: [now, before, recent].some((summed) => summed?.isRateMissing === true),
    allocated: [...cells.values()].reduce((sum, { facts }) => sum + facts.actual, 0n),
    days: spent === null ? [] : fillDays(daily, spent),
  }
}

async function run(
  levels: readonly DimensionName[],
  { from, to }: Period,
  context: ReportContext,
  second: Period | null = null,
): Promise<SummedReport> {
  const filter = {
    dateFrom: from,
    dateTo: to,
    ...(second !== null && { secondDateFrom: second.from, secondDateTo: second.to }),
  }
  const shape = { levels, rowsBy: 'traffic', metrics: ['s', 'nd'] } as const
  return (await sumReport({ filter, shape }, context)).summed
}

interface CellRow extends Pick<SummedRow, 'components' | 'children'> {
  readonly advertiser: number
  readonly country: number
}

const toCellRows = (summed: SummedReport | null): CellRow[] =>
  (summed?.rows ?? []).flatMap(({ ids: [advertiser], children }) =>
    children.map(({ ids: [country], components, children: partners }) => ({
      advertiser: Number(advertiser),
      country: Number(country),
      components,
      children: partners,
    })),
  )

function fillDays(summed: SummedReport | null, { from, to }: Period): MonthSpend['days'] {
  const days = new Map<string, bigint>()
  const add = (day: string, spend: bigint) => days.set(day, (days.get(day) ?? 0n) + spend)
  for (const { ids, components } of summed?.rows ?? []) add(String(ids[0]), totalSpend(components))
  for (const { key, components } of summed?.unallocated ?? []) add(key.day, totalSpend(components))
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => {
    const day = addDays(from, index)
    return { day, spend: days.get(day) ?? 0n }
  })
}

const toBigint = (value: ExactNumber = 0): bigint => BigInt(value)

export const totalSpend = ({ player_spend, entered_spend }: Components): bigint =>
  toBigint(player_spend) + toBigint(entered_spend)
