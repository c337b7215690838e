// From sums by period to the cells of a cohort table. Cumulative cells add up; ratios are derived from each cell's own sums. Pure.
import { divideHalfUp } from '@tributary/contract/money'
import type { CohortCell, CohortTotals } from '@tributary/contract/reports/cohort'
import type { Metrics } from '@tributary/contract/reports/general'
import type { MetricName } from '@tributary/contract/reports/traffic'
import { addComponents, addWhole, type Components, type Whole } from '../engine/components.ts'
import { prepareDerive } from '../engine/derive.ts'
import { begunPeriods, type CohortQuery, wholePeriods } from './cohort-query.ts'
import { comparedMetric } from './compile-cohort.ts'

/** Sums of a cohort, or of several groups of it. */
export interface CohortSums {
  readonly cohort: string
  /** Groups with players in them. */
  readonly groups: number
  /** A period without facts is absent. */
  readonly periods: ReadonlyMap<number, Components>
  readonly isRateMissing: boolean
}

const playersOf = ({ periods }: Pick<CohortSums, 'periods'>): Whole => periods.get(0)?.cohort_players ?? 0
/** Players of the cohort. */
export const sizeOf = (sums: Pick<CohortSums, 'periods'>): number => Number(playersOf(sums))

export interface CohortTable {
  /** One cell per period that has begun. */
  cellsOf(sums: CohortSums): CohortCell[]
  /** All periods together. */
  wholeOf(sums: CohortSums): Metrics
  /** All cohorts together. */
  totalsOf(rows: readonly CohortSums[]): CohortTotals
  /** Of each period the cohorts that have lived through it: ratios of their sums, counts and sums of a cohort of average size. */
  averageOf(rows: readonly CohortSums[]): CohortTotals
}

export function prepareTable(query: CohortQuery): CohortTable {
  const metrics = prepareMetrics(query)
  return {
    cellsOf: (sums) => cellsOf(columnsOf([sums], query, begunPeriods), metrics),
    wholeOf: (sums) => {
      const all = addComponents([...sums.periods.values()])
      return metrics.ofWhole(all, all.cohort_players ?? 0)
    },
    totalsOf: (rows) => {
      const cohorts = mergeGroups(rows)
      const all = addAll(cohorts)
      const size = all.cohort_players ?? 0
      const cells = cellsOf(columnsOf(cohorts, query, begunPeriods), metrics)
      return { size: Number(size), m: metrics.ofWhole(all, size), cells }
    },
    averageOf: (rows) => averageOf(rows, query, metrics),
  }
}

/** `size`: players of the cohort; `among` as of `Derive`. */
interface CohortMetrics {
  /** Of the sums of a period alone, and of all periods up to it. */
  ofCell(own: Components, upTo: Components, size: Whole, among?: number): Metrics
  /** Of all periods together. */
  ofWhole(all: Components, size: Whole, among?: number): Metrics
}

function prepareMetrics(query: CohortQuery): CohortMetrics {
  const { isCumulative } = query
  const metrics: MetricName[] = query.metrics.map((name) => comparedMetric(name, query))
  const derive = prepareDerive({ metrics })
  const show = (components: Components, size: Whole, among?: number): Metrics => {
    const { cohort_check, ...m } = derive({ ...components, cohort_players: size }, among)
    const isFree = Number(components.player_spend ?? 0) + Number(components.entered_spend ?? 0) === 0
    return {
      ...m,
      ...(cohort_check !== undefined && { avg_check: cohort_check }),
      ...(isCumulative && isFree && { cfd: null }),
    }
  }
  /** Whoever has deposited up to a moment has made a first deposit up to it. */
  const everDeposited = (components: Components): Components => ({
    ...components,
    depositors: components.new_deposits ?? 0,
  })
  return {
    ofCell: (own, upTo, size, among) => show(isCumulative ? everDeposited(upTo) : own, size, among),
    ofWhole: (all, size, among) => show(everDeposited(all), size, among),
  }
}

/** One period of several cohorts. */
interface PeriodColumn {
  readonly own: Components
  readonly upTo: Components
  readonly size: Whole
  /** Groups with players in them. */
  readonly groups: number
  /** Every cohort has lived through the whole period. */
  readonly areWhole: boolean
}

const cellsOf = (columns: readonly PeriodColumn[], metrics: CohortMetrics): CohortCell[] =>
  columns.map(({ own, upTo, size, areWhole }, period) => ({
    period,
    state: areWhole ? 'whole' : 'partial',
    m: metrics.ofCell(own, upTo, size),
  }))

/** `reach` says in how many periods a cohort counts. */
function columnsOf(
  rows: readonly CohortSums[],
  query: CohortQuery,
  reach: (query: CohortQuery, cohort: string) => number,
): PeriodColumn[] {
  const columns: PeriodColumn[] = []
  for (const row of rows) {
    const size = playersOf(row)
    const whole = wholePeriods(query, row.cohort)
    const length = reach(query, row.cohort)
    let upTo: Components = {}
    for (let period = 0; period < length; period++) {
      const own = row.periods.get(period) ?? {}
      upTo = query.isCumulative ? addComponents([upTo, own]) : own
      const column = { own, upTo, size, groups: row.groups, areWhole: period < whole }
      const known = columns[period]
      columns[period] = known === undefined ? column : joinColumns(known, column)
    }
  }
  return columns
}

function joinColumns(one: PeriodColumn, other: PeriodColumn): PeriodColumn {
  const own = addComponents([one.own, other.own])
  return {
    own,
    upTo: one.upTo === one.own && other.upTo === other.own ? own : addComponents([one.upTo, other.upTo]),
    size: addWhole(one.size, other.size),
    groups: one.groups + other.groups,
    areWhole: one.areWhole && other.areWhole,
  }
}

const addAll = (rows: readonly CohortSums[]): Components =>
  addComponents(rows.flatMap((row) => [...row.periods.values()]))

/** All groups of a cohort as one row. */
function mergeGroups(rows: readonly CohortSums[]): CohortSums[] {
  return [...Map.groupBy(rows, ({ cohort }) => cohort)].map(([cohort, parts]) => {
    const [only] = parts
    if (only !== undefined && parts.length === 1) return only
    const periods = new Map<number, Components>()
    for (const part of parts)
      for (const [period, components] of part.periods) {
        const before = periods.get(period)
        periods.set(period, before === undefined ? components : addComponents([before, components]))
      }
    const groups = parts.reduce((sum, part) => sum + part.groups, 0)
    return { cohort, groups, periods, isRateMissing: parts.some(({ isRateMissing }) => isRateMissing) }
  })
}

function averageOf(rows: readonly CohortSums[], query: CohortQuery, metrics: CohortMetrics): CohortTotals {
  const filled = mergeGroups(rows).filter(({ groups }) => groups > 0)
  const groups = filled.reduce((sum, row) => sum + row.groups, 0)
  const cells = columnsOf(filled, query, wholePeriods).map(
    ({ own, upTo, size, groups: among }, period): CohortCell => ({
      period,
      state: 'whole',
      m: metrics.ofCell(own, upTo, size, among),
    }),
  )
  const all = addAll(filled)
  const size = all.cohort_players ?? 0
  const hundredths = divideHalfUp(BigInt(size) * 100n, BigInt(groups)) ?? 0n
  return { size: Number(hundredths) / 100, m: metrics.ofWhole(all, size, groups), cells }
}
