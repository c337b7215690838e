// What a cohort report is asked, complete: whose cohorts, by what, how many periods. Days of cohorts choose players; their facts count on any day up to today.

import { ALL, ALL_CAP } from '@tributary/contract/limits'
import { addDays, type Period, today, weekOf } from '@tributary/contract/period'
import type { CohortRequest, CohortSortKey } from '@tributary/contract/reports/cohort'
import {
  COHORT_METRICS,
  COHORT_PERIODS,
  type CohortBasis,
  type CohortMetric,
  type CohortUnit,
  type CohortVariant,
} from '@tributary/contract/reports/cohort-choices'
import { reportFilterSchema } from '@tributary/contract/reports/filter'
import type { MetricCondition } from '@tributary/contract/reports/general'
import { isVisibleTo, metricOf } from '@tributary/contract/reports/traffic'
import { Temporal } from 'temporal-polyfill'
import { AppError } from '../../lib/app-error.ts'
import type { ReportSetting } from '../engine/context.ts'
import { parseSelection } from '../engine/parse.ts'
import type { Selection, Viewer } from '../engine/query.ts'

export interface CohortQuestion {
  /** Levels: the group or none. `first`: the days of the cohorts. */
  readonly selection: Selection
  readonly unit: CohortUnit
  readonly basis: CohortBasis
  readonly periods: number
  readonly today: string
  /** The first day of the cohort that holds today. */
  readonly current: string
  readonly isCumulative: boolean
  readonly isFlat: boolean
  readonly metrics: readonly CohortMetric[]
  readonly limits: readonly { readonly key: CohortMetric | 'size'; readonly condition: MetricCondition }[]
  readonly sort: { readonly by: CohortSortKey; readonly desc: boolean } | null
  readonly page: number
  readonly limit: number
}

type Asked = Pick<CohortRequest, 'filter'> & Partial<CohortRequest>

export function parseCohort(
  { filter, cfFilter = {}, pagination, sort }: Asked,
  viewer: Viewer,
  setting: ReportSetting,
  { isCumulative, isFlat }: CohortVariant,
): CohortQuestion {
  const now = today(setting.zone)
  const { period: unit, cohortBy: basis, periods = COHORT_PERIODS[unit], groupBy, ...narrowing } = filter
  const days = { dateTo: now, dateFrom: firstDay(unit, narrowing.dateTo ?? now), ...narrowing }
  const shape = { groupBy, secondGroupBy: 'off', thirdGroupBy: 'off', fourthGroupBy: 'off' } as const
  const selection = parseSelection({ ...reportFilterSchema.parse(shape), ...days, ...shape }, viewer, setting)
  const metrics = COHORT_METRICS.filter((name) => isVisibleTo(metricOf(name), viewer.role))
  const limits = Object.entries(cfFilter).flatMap(([key, condition]) =>
    condition === undefined || Object.keys(condition).length === 0 ? [] : [{ key: key as CohortMetric, condition }],
  )
  for (const key of [...limits.map((limit) => limit.key), ...(sort === undefined ? [] : [sort.by])])
    if (isMetricKey(key) && !metrics.includes(key)) throw new AppError('forbidden')
  return {
    selection,
    unit,
    basis,
    periods,
    today: now,
    current: cohortOf(unit, now),
    isCumulative,
    isFlat,
    metrics,
    limits,
    sort: sort ?? null,
    page: pagination?.page ?? 1,
    limit: pagination?.limit ?? 1,
  }
}

/** Cells that one answer holds. */
const CELLS_CAP = 200_000

/** The rows of a page that are read at once: of all, or of a longer page than an answer holds, as many as it does. */
export function cohortPieceOf({ periods, page, limit }: CohortQuestion): { page: number; limit: number } {
  const most = Math.min(ALL_CAP, Math.max(1, Math.floor(CELLS_CAP / periods)))
  return limit === ALL ? { page: 1, limit: most } : { page, limit: Math.min(limit, most) }
}

const isMetricKey = (key: string): key is CohortMetric => (COHORT_METRICS as readonly string[]).includes(key)

/** The last 12 months, 12 weeks or 31 days, the one that holds `to` included. */
function firstDay(unit: CohortUnit, to: string): string {
  if (unit === 'day') return addDays(to, -30)
  return stepFrom(unit, cohortOf(unit, to), -11)
}

/** The first day of the cohort that a day belongs to. */
export function cohortOf(unit: CohortUnit, day: string): string {
  if (unit === 'day') return day
  return unit === 'week' ? weekOf(day) : `${day.slice(0, 7)}-01`
}

/** The first day of the period so many periods after a cohort's own. */
export function stepFrom(unit: CohortUnit, cohort: string, count: number): string {
  return Temporal.PlainDate.from(cohort)
    .add({ [`${unit}s`]: count })
    .toString()
}

/** Days of a period of a cohort. */
export const periodDays = (unit: CohortUnit, cohort: string, period: number): Period => ({
  from: stepFrom(unit, cohort, period),
  to: addDays(stepFrom(unit, cohort, period + 1), -1),
})

/** Periods of a cohort that have begun, as far as the table goes. */
export function begunPeriods({ unit, periods, current }: CohortQuestion, cohort: string): number {
  return Math.min(periods, Math.max(0, stepsBetween(unit, cohort, current) + 1))
}

/** Those of them that are over: the one that holds today is not. */
export function wholePeriods({ unit, periods, current }: CohortQuestion, cohort: string): number {
  return Math.min(periods, Math.max(0, stepsBetween(unit, cohort, current)))
}

/** Counted, not tried one by one: a table asks for each of its cells. Both are first days of cohorts. */
function stepsBetween(unit: CohortUnit, from: string, to: string): number {
  if (unit === 'month') return monthsOf(to) - monthsOf(from)
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS / (unit === 'week' ? 7 : 1))
}

const DAY_MS = 86_400_000
const monthsOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
