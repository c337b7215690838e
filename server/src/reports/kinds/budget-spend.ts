// What a month has spent, by the runs of the general report: each figure is the report's own, before it is rounded.

import { addDays, daysBetween, earlierDay, type Period } from '@tributary/contract/period'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import type { Components, Whole } from '../engine/components.ts'
import type { ReportContext } from '../engine/context.ts'
import type { SummedRow } from '../engine/read-rows.ts'
import type { SummedReport } from '../engine/roll-up.ts'
import { sumReport } from '../engine/run-report.ts'
import { addFacts, type MonthProgress, NO_SPEND, PACE_DAYS, type SpendFacts } from './budget-figures.ts'

const CELLS = ['advertiser', 'country', 'partner'] as const satisfies readonly DimensionName[]

/** A month as of a day. `spent`: its days up to that one; null if it has not begun. */
export interface BudgetMonth extends MonthProgress {
  /** Its first day. */
  readonly first: string
  readonly last: string
  readonly today: string
  readonly spent: Period | null
}

/** `month`: 'YYYY-MM'. */
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
  /** With unallocated spend, which belongs to no cell. */
  readonly total: SpendFacts
  /** The spend of the month that cells carry. */
  readonly allocated: bigint
  readonly unallocated: SummedReport['unallocated']
  readonly isRateMissing: boolean
  /** The days of the month so far, in order; with unallocated spend. */
  readonly days: readonly { readonly day: string; readonly spend: bigint }[]
}

export const cellKey = (advertiser: number, country: number): string => `${advertiser}:${country}`

export async function readMonthSpend(month: BudgetMonth, context: ReportContext): Promise<MonthSpend> {
  const { first, spent, today, completeDays, isCurrent } = month
  const previous = { from: `${addDays(first, -1).slice(0, 7)}-01`, to: addDays(first, -1) }
  const complete = completeDays === 0 ? null : { from: first, to: addDays(first, completeDays - 1) }
  const pace = { from: addDays(today, -PACE_DAYS), to: addDays(today, -1) }
  const [now, before, recent, daily] = await Promise.all([
    spent === null ? null : run(CELLS, spent, context, complete),
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
    for (const { advertiser, country, components, children } of cellsOf(summed)) {
      const key = cellKey(advertiser, country)
      const { facts, partners } = cells.get(key) ?? { facts: NO_SPEND, partners: new Map<number, bigint>() }
      const spends = children.map(({ ids, components: own }): [number, bigint] => [Number(ids[0]), spendOf(own)])
      cells.set(key, {
        advertiser,
        country,
        facts: addFacts(facts, { ...NO_SPEND, ...factsOf(components) }),
        partners: isNow ? new Map(spends) : partners,
      })
    }
  }
  const ofNow = (components: Components) => ({
    actual: spendOf(components),
    newDeposits: complete === null ? 0n : wholeOf(components.new_deposits_2),
  })
  const ofPrevious = (components: Components) => ({
    previous: spendOf(components),
    previousNewDeposits: wholeOf(components.new_deposits),
  })
  const ofRecent = (components: Components) => ({ recent: spendOf(components) })
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
    // The second period lies within the first, so that its spend is unallocated with it.
    unallocated: now?.unallocated ?? [],
    isRateMissing: [now, before, recent].some((summed) => summed?.isRateMissing === true),
    allocated: [...cells.values()].reduce((sum, { facts }) => sum + facts.actual, 0n),
    days: spent === null ? [] : daysOf(daily, spent),
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

const cellsOf = (summed: SummedReport | null): CellRow[] =>
  (summed?.rows ?? []).flatMap(({ ids: [advertiser], children }) =>
    children.map(({ ids: [country], components, children: partners }) => ({
      advertiser: Number(advertiser),
      country: Number(country),
      components,
      children: partners,
    })),
  )

function daysOf(summed: SummedReport | null, { from, to }: Period): MonthSpend['days'] {
  const days = new Map<string, bigint>()
  const add = (day: string, spend: bigint) => days.set(day, (days.get(day) ?? 0n) + spend)
  for (const { ids, components } of summed?.rows ?? []) add(String(ids[0]), spendOf(components))
  for (const { key, components } of summed?.unallocated ?? []) add(key.day, spendOf(components))
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => {
    const day = addDays(from, index)
    return { day, spend: days.get(day) ?? 0n }
  })
}

const wholeOf = (value: Whole = 0): bigint => BigInt(value)

export const spendOf = ({ player_spend, entered_spend }: Components): bigint =>
  wholeOf(player_spend) + wholeOf(entered_spend)
