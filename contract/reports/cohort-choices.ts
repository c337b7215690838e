// What cohorts can be asked for, as data: units, bases, numbers, groups, the three reports. Free of schemas, so that screens can read it at no cost.
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
export type CohortUnit = DateDimension
export const COHORT_BASES = ['registration', 'first_deposit'] as const
export type CohortBasis = (typeof COHORT_BASES)[number]

/** Columns that a table has at most: as many days, weeks or months are told after the first. */
export const COHORT_PERIODS_CAP = 400
export const COHORT_PERIODS: Readonly<Record<CohortUnit, number>> = { day: 31, week: 13, month: 12 }

/**
 * What a cell says. `players` are those who deposited: in that period, or in cumulative mode up to its end. `avg_check` is the amount of
 * deposits by their number, in cumulative mode by the number of first ones.
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
  'cfd',
  'roi',
] as const satisfies readonly MetricName[]
export type CohortMetric = (typeof COHORT_METRICS)[number]

/** Dates are the rows themselves, so no groups. */
export const COHORT_GROUPS = GROUP_BYS.filter((name): name is Exclude<GroupBy, DateDimension> => !isDateDimension(name))

export const COHORT_REPORTS = {
  cohort_analysis: { isCumulative: false, isFlat: false, permission: 'cohort_analysis_view' },
  cohort_analysis_old: { isCumulative: false, isFlat: true, permission: 'cohort_analysis_view' },
  cohort_analysis_cumulative: { isCumulative: true, isFlat: false, permission: 'cohort_analysis_cumulative_view' },
} as const
export type CohortReportName = keyof typeof COHORT_REPORTS
export const COHORT_REPORT_NAMES = Object.keys(COHORT_REPORTS) as CohortReportName[]
export type CohortVariant = { readonly isCumulative: boolean; readonly isFlat: boolean }

export const accessOfCohort = (name: CohortReportName) => leadersOr(COHORT_REPORTS[name].permission)
