// The options of cohort reports as plain data: units, bases, metrics, groups, variants. Has no schemas, so that screens need not load zod.
import { leadersOr } from '../access.ts'
import {
  DATE_DIMENSIONS,
  type DateDimension,
  GROUP_BYS,
  type GroupBy,
  isDateDimension,
  type MetricName,
} from './traffic.ts'

export const COHORT_UNITS = DATE_DIMENSIONS
/** The length of a cohort and of its periods. */
export type CohortUnit = DateDimension
export const COHORT_BASES = ['registration', 'first_deposit'] as const
/** The event that puts a player into a cohort. */
export type CohortBasis = (typeof COHORT_BASES)[number]

/** Maximum number of period columns. */
export const COHORT_PERIODS_CAP = 400
/** Default number of period columns. */
export const COHORT_PERIODS: Readonly<Record<CohortUnit, number>> = { day: 31, week: 13, month: 12 }

/**
 * The metrics of a cell. `players` counts players who deposited in the period, or in cumulative mode up to its end. `avg_check` divides the amount
 * of deposits by their number, in cumulative mode by the number of first deposits.
 */
export const COHORT_METRICS = [
  'players',
  'retention',
  'nd',
  'deposits',
  'deposits_amount',
  'avg_check',
  'income',
  's',
  'profit',
  'cfd',
  'roi',
] as const satisfies readonly MetricName[]
export type CohortMetric = (typeof COHORT_METRICS)[number]

/** Date dimensions are excluded because the rows are dates already. */
export const COHORT_GROUPS = GROUP_BYS.filter((name): name is Exclude<GroupBy, DateDimension> => !isDateDimension(name))

export const COHORT_REPORTS = {
  cohort_analysis: { isCumulative: false, isFlat: false, permission: 'cohort_analysis_view' },
  cohort_analysis_old: { isCumulative: false, isFlat: true, permission: 'cohort_analysis_view' },
  cohort_analysis_cumulative: { isCumulative: true, isFlat: false, permission: 'cohort_analysis_cumulative_view' },
} as const
export type CohortReportName = keyof typeof COHORT_REPORTS
export const COHORT_REPORT_NAMES = Object.keys(COHORT_REPORTS) as CohortReportName[]
/** How a variant of the cohort report counts: each period with those before it, and one row per cohort and group. */
export type CohortVariant = { readonly isCumulative: boolean; readonly isFlat: boolean }

/** Who may run a cohort report. */
export const accessOfCohort = (name: CohortReportName) => leadersOr(COHORT_REPORTS[name].permission)
