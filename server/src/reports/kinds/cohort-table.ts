// Computes the cells of a cohort table from sums by period. Cumulative cells add up; ratios derive from each cell's own sums.
import { divideHalfUp } from '@tributary/contract/money'
import type { CohortCell, CohortTotals } from '@tributary/contract/reports/cohort'
import type { Metrics, PartlyReported } from '@tributary/contract/reports/general'
import type { MetricName } from '@tributary/contract/reports/traffic'
import { addComponents, addExact, type Components, type ExactNumber } from '../engine/components.ts'
import { partlyReported, prepareDerive } from '../engine/derive.ts'
import { begunPeriods, type CohortQuery, wholePeriods } from './cohort-query.ts'
import { comparedMetric } from './compile-cohort.ts'

/** Sums of one group of a cohort, or of several groups. */
export interface CohortSums {
  readonly cohort: string
  /** The number of groups with players. */
  readonly groups: number
  /** Components by period, counted from 0. A period without facts is absent. */
  readonly periods: ReadonlyMap<number, Components>
  readonly isRateMissing: boolean
}

const cohortPlayers = ({ periods }: Pick<CohortSums, 'periods'>): ExactNumber => periods.get(0)?.cohort_players ?? 0
/** The number of players of the cohort. */
export const cohortSize = (sums: Pick<CohortSums, 'periods'>): number => Number(cohortPlayers(sums))

/** Metrics, and whether some of their days are not reported. */
type CohortNumbers = PartlyReported & { readonly m: Metrics }

export interface CohortTable {
  /** One cell for each period that has begun. */
  toCells(sums: CohortSums): CohortCell[]
  /** Metrics over all periods. */
  rowNumbers(sums: CohortSums): CohortNumbers
  /** The totals over all cohorts. */
  totals(rows: readonly CohortSums[]): CohortTotals
  /** The average cohort. Each period includes only cohorts for which it is over; ratios derive from their sums, other metrics are means. */
  average(rows: readonly CohortSums[]): CohortTotals
}

export function prepareTable(query: CohortQuery): CohortTable {
  const metrics = prepareMetrics(query)
  return {
    toCells: (sums) => columnCells(joinPeriods([sums], query, begunPeriods), metrics),
    rowNumbers: (sums) => {
      const all = addComponents([...sums.periods.values()])
      return metrics.wholeMetrics(all, all.cohort_players ?? 0)
    },
    totals: (rows) => {
      const cohorts = mergeGroups(rows)
      const all = addAll(cohorts)
      const size = all.cohort_players ?? 0
      const cells = columnCells(joinPeriods(cohorts, query, begunPeriods), metrics)
      return { size: Number(size), ...metrics.wholeMetrics(all, size), cells }
    },
    average: (rows) => averageCohort(rows, query, metrics),
  }
}

/** `size` is the number of players. Sums are averages over `averagedOver` groups (see `Derive`). */
interface CohortMetrics {
  /** Metrics of a cell. `own` has the sums of its period, `upTo` those of all periods up to it. */
  cellMetrics(own: Components, upTo: Components, size: ExactNumber, averagedOver?: number): CohortNumbers
  /** Metrics over all periods. */
  wholeMetrics(all: Components, size: ExactNumber, averagedOver?: number): CohortNumbers
}

function prepareMetrics(query: CohortQuery): CohortMetrics {
  const { isCumulative } = query
  const metrics: MetricName[] = query.metrics.map((name) => comparedMetric(name, query))
  const derive = prepareDerive({ metrics })
  const show = (components: Components, size: ExactNumber, averagedOver?: number): CohortNumbers => {
    const { cohort_check, ...m } = derive({ ...components, cohort_players: size }, averagedOver)
    const hasNoSpend = Number(components.player_spend ?? 0) + Number(components.entered_spend ?? 0) === 0
    const shown = {
      ...m,
      ...(cohort_check !== undefined && { avg_check: cohort_check }),
      ...(isCumulative && hasNoSpend && { cfd: null }),
    }
    return { m: shown, ...partlyReported(components) }
  }
  /** Over all periods up to a moment, depositors equal first deposits. */
  const everDeposited = (components: Components): Components => ({
    ...components,
    depositors: components.new_deposits ?? 0,
  })
  return {
    cellMetrics: (own, upTo, size, averagedOver) => show(isCumulative ? everDeposited(upTo) : own, size, averagedOver),
    wholeMetrics: (all, size, averagedOver) => show(everDeposited(all), size, averagedOver),
  }
}

/** One period of several cohorts. */
interface PeriodColumn {
  readonly own: Components
  readonly upTo: Components
  readonly size: ExactNumber
  /** The number of groups with players. */
  readonly groups: number
  /** The period is over for every cohort. */
  readonly areWhole: boolean
}

const columnCells = (columns: readonly PeriodColumn[], metrics: CohortMetrics): CohortCell[] =>
  columns.map(({ own, upTo, size, areWhole }, period) => ({
    period,
    state: areWhole ? 'whole' : 'partial',
    ...metrics.cellMetrics(own, upTo, size),
  }))

/** Adds up the cohorts by period. `countPeriods` returns the number of periods in which a cohort counts. */
function joinPeriods(
  rows: readonly CohortSums[],
  query: CohortQuery,
  countPeriods: (query: CohortQuery, cohort: string) => number,
): PeriodColumn[] {
  const columns: PeriodColumn[] = []
  for (const row of rows) {
    const size = cohortPlayers(row)
    const whole = wholePeriods(query, row.cohort)
    const length = countPeriods(query, row.cohort)
    let upTo: Components = {}
    for (let period = 0; period < length; period++) {
      const own = row.periods.get(period) ?? {}
      upTo = query.isCumulative ? addComponents([upTo, own]) : own
      const column = { own, upTo, size, groups: row.groups, areWhole: period < whole }
      const existing = columns[period]
      columns[period] = existing === undefined ? column : joinColumns(existing, column)
    }
  }
  return columns
}

function joinColumns(one: PeriodColumn, other: PeriodColumn): PeriodColumn {
  const own = addComponents([one.own, other.own])
  return {
    own,
    upTo: one.upTo === one.own && other.upTo === other.own ? own : addComponents([one.upTo, other.upTo]),
    size: addExact(one.size, other.size),
    groups: one.groups + other.groups,
    areWhole: one.areWhole && other.areWhole,
  }
}

const addAll = (rows: readonly CohortSums[]): Components =>
  addComponents(rows.flatMap((row) => [...row.periods.values()]))

/** Merges all groups of each cohort to one row. */
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

function averageCohort(rows: readonly CohortSums[], query: CohortQuery, metrics: CohortMetrics): CohortTotals {
  const filled = mergeGroups(rows).filter(({ groups }) => groups > 0)
  const groups = filled.reduce((sum, row) => sum + row.groups, 0)
  const cells = joinPeriods(filled, query, wholePeriods).map(
    ({ own, upTo, size, groups: averagedOver }, period): CohortCell => ({
      period,
      state: 'whole',
      ...metrics.cellMetrics(own, upTo, size, averagedOver),
    }),
  )
  const all = addAll(filled)
  const size = all.cohort_players ?? 0
  const hundredths = divideHalfUp(BigInt(size) * 100n, BigInt(groups)) ?? 0n
  return { size: Number(hundredths) / 100, ...metrics.wholeMetrics(all, size, groups), cells }
}
