// Cohort reports group players by the period of their registration or first deposit and show metrics for each period since then.
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
  type PartlyReported,
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

/** Metric filters and sorting use a row's value over all its periods. */
export const cohortRequest = z.strictObject({
  filter: cohortFilterSchema.prefault({}),
  cfFilter: cfFilter.default({}),
  pagination: reportPagination.prefault({}),
  /** Default: cohorts in order of time, within each the largest groups first. */
  sort: z.strictObject({ by: z.enum(sortKeys), desc: z.boolean().default(false) }).optional(),
})
/** A parsed query of a cohort report. */
export type CohortRequest = z.output<typeof cohortRequest>
/** A query of a cohort report as it is sent: members with defaults may be absent. */
export type CohortInput = z.input<typeof cohortRequest>

const id = z.union([z.int().min(0), z.string().max(600)])
/** Requests the players or facts behind a number. Without `cohort`: all cohorts. Without `period`: all periods of the row. */
export const cohortDrillRequest = z.strictObject({
  filter: cohortFilterSchema.prefault({}),
  cell: z.strictObject({
    cohort: z.string().refine(isDay, { error: 'date_invalid' }).optional(),
    group: id.optional(),
    period: z.int().min(0).max(COHORT_PERIODS_CAP).optional(),
    metric: z.enum(['size', ...COHORT_METRICS]),
  }),
  pagination: reportPagination.prefault({}),
})
/** A parsed query for the facts behind a number of a cohort report. */
export type CohortDrillRequest = z.output<typeof cohortDrillRequest>

/** One period of a cohort. Periods that have not begun have no cell. `state: partial`: the period is not over yet. */
export interface CohortCell extends PartlyReported {
  period: number
  state: 'whole' | 'partial'
  m: Metrics
}

/** A cohort, or a group within one. `size` is its number of players. */
export interface CohortRow extends PartlyReported {
  cohort: ReportGroup
  group: ReportGroup | null
  size: number
  cells: CohortCell[]
  /** Metrics of all periods together. */
  m: Metrics
  /** In cumulative mode, the first period whose ROI is not negative; null if there is none, absent if ROI is hidden. */
  payback?: number | null
}

/** A row of the flat report: one period of a cohort. */
export interface FlatCohortRow extends CohortCell {
  cohort: ReportGroup
  group: ReportGroup | null
  size: number
}

/** The total, or the average, of all cohorts. */
export interface CohortTotals extends PartlyReported {
  size: number
  cells: CohortCell[]
  m: Metrics
}

/** The cohort report of a page of cohorts. */
export interface CohortAnswer {
  rows: CohortRow[] | FlatCohortRow[]
  /** Total of all rows on all pages; ratios are derived from the sums. */
  total: CohortTotals
  /**
   * Average of the cohorts for which a period is over: ratios from their sums, counts and amounts per cohort. Omits periods that are over for no
   * cohort.
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

/** The declarations of the cohort reports, each with its drill-down call. */
export const cohortReports: readonly Report[] = COHORT_REPORT_NAMES.map((name) =>
  defineReport({
    name,
    path: name,
    access: accessOfCohort(name),
    request: cohortRequest,
    answer: z.custom<CohortAnswer>(),
    calls: [rowsCall(name, accessOfCohort(name), cohortDrillRequest)],
  }),
)
