// Cohort reports: players by the day, week or month of their registration or first deposit, and what they brought in each period since.
import { z } from 'zod'
import { defineReport, type Report } from '../call.ts'
import type { Pagination } from '../list-query.ts'
import { isDay } from '../period.ts'
import {
  accessOfCohort,
  COHORT_BASES,
  COHORT_GROUPS,
  COHORT_METRICS,
  COHORT_PERIODS_CAP,
  COHORT_REPORT_NAMES,
  COHORT_UNITS,
  type CohortMetric,
} from './cohort-choices.ts'
import { checkPeriods, selectionFields } from './filter.ts'
import {
  type MetricCondition,
  type Metrics,
  metricCondition,
  type REPORT_WARNINGS,
  type ReportGroup,
  type ReportSources,
  reportPagination,
  rowsCall,
} from './general.ts'

const { secondDateFrom: _from, secondDateTo: _to, knownAt: _known, activity: _activity, ...narrowing } = selectionFields

/** dateFrom and dateTo are days on which players registered or first deposited. By default the last 12 months, 12 weeks or 31 days. */
export const cohortFilterSchema = z
  .strictObject({
    period: z.enum(COHORT_UNITS).default('month'),
    cohortBy: z.enum(COHORT_BASES).default('registration'),
    groupBy: z.enum(COHORT_GROUPS).default('off'),
    /** Number of columns. */
    periods: z.int().min(1).max(COHORT_PERIODS_CAP).optional(),
    ...narrowing,
  })
  .superRefine(checkPeriods)

const cfFilter = z.strictObject(
  Object.fromEntries([...COHORT_METRICS, 'size' as const].map((key) => [key, metricCondition.optional()])),
) as z.ZodType<Partial<Record<CohortMetric | 'size', MetricCondition>>>

const sortKeys = ['cohort', 'group', 'size', ...COHORT_METRICS] as const
export type CohortSortKey = (typeof sortKeys)[number]

/** Metric filters, and an order by a metric, mean the row as a whole. */
export const cohortRequest = z.strictObject({
  filter: cohortFilterSchema.prefault({}),
  cfFilter: cfFilter.default({}),
  pagination: reportPagination.prefault({}),
  /** Absent: cohorts forward in time, in each the largest groups first. */
  sort: z.strictObject({ by: z.enum(sortKeys), desc: z.boolean().default(false) }).optional(),
})
export type CohortRequest = z.output<typeof cohortRequest>
export type CohortInput = z.input<typeof cohortRequest>

const id = z.union([z.int().min(0), z.string().max(600)])
/** A number of the table. Without cohort: of all cohorts; without period: of the whole row. */
export const cohortRowsRequest = z.strictObject({
  filter: cohortFilterSchema.prefault({}),
  cell: z.strictObject({
    cohort: z.string().refine(isDay, { error: 'date_invalid' }).optional(),
    group: id.optional(),
    period: z.int().min(0).max(COHORT_PERIODS_CAP).optional(),
    metric: z.enum(['size', ...COHORT_METRICS]),
  }),
  pagination: reportPagination.prefault({}),
})
export type CohortRowsRequest = z.output<typeof cohortRowsRequest>

/** A period that has not begun has no cell. `partial`: it is not over yet. */
export interface CohortCell {
  period: number
  state: 'whole' | 'partial'
  m: Metrics
}

export interface CohortRow {
  cohort: ReportGroup
  group: ReportGroup | null
  size: number
  cells: CohortCell[]
  /** All periods together. */
  m: Metrics
  /** Cumulative: the first period with an ROI that is not negative; null when there is none, absent where ROI is hidden. */
  payback?: number | null
}

/** A row of the flat report: one cell. */
export interface FlatCohortRow extends CohortCell {
  cohort: ReportGroup
  group: ReportGroup | null
  size: number
}

export interface CohortTotals {
  size: number
  cells: CohortCell[]
  m: Metrics
}

export interface CohortAnswer {
  rows: CohortRow[] | FlatCohortRow[]
  /** Of all rows on all pages; ratios are derived from the sums. */
  total: CohortTotals
  /**
   * For each period, of the cohorts that have lived through all of it: ratios of their sums, counts and sums of a cohort of average size. Only
   * periods that some cohort has lived through.
   */
  average: CohortTotals
  /** Number of period columns. */
  periods: number
  items: number
  pagination: Pagination
  period: { dateFrom: string; dateTo: string }
  built_at: string
  watermark: string
  sources: ReportSources
  currency: string
  warnings: (typeof REPORT_WARNINGS)[number][]
}

export const cohortReports: readonly Report[] = COHORT_REPORT_NAMES.map((name) =>
  defineReport({
    name,
    path: name,
    access: accessOfCohort(name),
    request: cohortRequest,
    answer: z.custom<CohortAnswer>(),
    calls: [rowsCall(name, accessOfCohort(name), cohortRowsRequest)],
  }),
)
