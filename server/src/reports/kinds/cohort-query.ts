// Parses a cohort query. The days of cohorts select players; the facts of those players count on any day up to today.

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
import type { MetricCondition } from '@tributary/contract/reports/general'
import { isVisibleTo, metricOf } from '@tributary/contract/reports/traffic'
import { Temporal } from 'temporal-polyfill'
import { AppError } from '../../lib/app-error.ts'
import { type ParseContext, parseSelection } from '../engine/parse.ts'
import type { PageRequest, Selection } from '../engine/query.ts'

export interface CohortQuery extends PageRequest {
  /** `levels` has the group or nothing; `first` has the days of the cohorts. */
  readonly selection: Selection
  readonly unit: CohortUnit
  readonly basis: CohortBasis
  readonly periods: number
  readonly today: string
  /** The first day of the cohort that contains today. */
  readonly current: string
  readonly isCumulative: boolean
  readonly isFlat: boolean
  readonly metrics: readonly CohortMetric[]
  readonly metricFilters: readonly { readonly key: CohortMetric | 'size'; readonly condition: MetricCondition }[]
  readonly sort: { readonly by: CohortSortKey; readonly desc: boolean } | null
}

type CohortInput = Pick<CohortRequest, 'filter'> & Partial<CohortRequest>

/** Throws AppError: `forbidden` for fields that are hidden from the role, `invalid` for impossible dates. */
export function parseCohort(
  { filter, cfFilter = {}, pagination, sort }: CohortInput,
  context: ParseContext,
  { isCumulative, isFlat }: CohortVariant,
): CohortQuery {
  const { viewer, setting } = context
  const now = today(setting.zone)
  const { period: unit, cohortBy: basis, periods = COHORT_PERIODS[unit], groupBy, ...narrowing } = filter
  const days = { dateTo: now, dateFrom: firstDay(unit, narrowing.dateTo ?? now), ...narrowing }
  const selection = parseSelection({ ...days, groupBy }, context)
  const metrics = COHORT_METRICS.filter((name) => isVisibleTo(metricOf(name), viewer.role))
  const metricFilters = Object.entries(cfFilter).flatMap(([key, condition]) =>
    condition === undefined || Object.keys(condition).length === 0 ? [] : [{ key: key as CohortMetric, condition }],
  )
  for (const key of [...metricFilters.map((filter) => filter.key), ...(sort === undefined ? [] : [sort.by])])
    if (isMetricKey(key) && !metrics.includes(key)) throw new AppError('forbidden')
  return {
    selection,
    unit,
    basis,
    periods,
    today: now,
    current: cohortStart(unit, now),
    isCumulative,
    isFlat,
    metrics,
    metricFilters,
    sort: sort ?? null,
    page: pagination?.page ?? 1,
    limit: pagination?.limit ?? 1,
  }
}

/** The maximum of cells in one answer. */
const CELLS_CAP = 200_000

/** Limits the page to the rows that one answer can hold. */
export function capCohortPage({ periods, page, limit }: CohortQuery): PageRequest {
  const most = Math.min(ALL_CAP, Math.max(1, Math.floor(CELLS_CAP / periods)))
  return limit === ALL ? { page: 1, limit: most } : { page, limit: Math.min(limit, most) }
}

const isMetricKey = (key: string): key is CohortMetric => (COHORT_METRICS as readonly string[]).includes(key)

/** The first of the last 12 months, 12 weeks or 31 days, which include `to`. */
function firstDay(unit: CohortUnit, to: string): string {
  if (unit === 'day') return addDays(to, -30)
  return stepFrom(unit, cohortStart(unit, to), -11)
}

/** The first day of the cohort that a day belongs to. */
export function cohortStart(unit: CohortUnit, day: string): string {
  if (unit === 'day') return day
  return unit === 'week' ? weekOf(day) : `${day.slice(0, 7)}-01`
}

/** The first day of the period `count` periods after a cohort's own. */
export function stepFrom(unit: CohortUnit, cohort: string, count: number): string {
  return Temporal.PlainDate.from(cohort)
    .add({ [`${unit}s`]: count })
    .toString()
}

/** The days of a period of a cohort. */
export const periodDays = (unit: CohortUnit, cohort: string, period: number): Period => ({
  from: stepFrom(unit, cohort, period),
  to: addDays(stepFrom(unit, cohort, period + 1), -1),
})

/** The number of periods of a cohort that have begun, at most those of the table. */
export function begunPeriods({ unit, periods, current }: CohortQuery, cohort: string): number {
  return Math.min(periods, Math.max(0, stepsBetween(unit, cohort, current) + 1))
}

/** The number of periods that are over. The period that contains today is not. */
export function wholePeriods({ unit, periods, current }: CohortQuery, cohort: string): number {
  return Math.min(periods, Math.max(0, stepsBetween(unit, cohort, current)))
}

/** Periods between two days that begin cohorts. It uses arithmetic instead of Temporal, because every cell needs it. */
function stepsBetween(unit: CohortUnit, from: string, to: string): number {
  if (unit === 'month') return monthsOf(to) - monthsOf(from)
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS / (unit === 'week' ? 7 : 1))
}

const DAY_MS = 86_400_000
const monthsOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
