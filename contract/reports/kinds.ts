// Reports that ask the engine of the general report in a form of their own: the dashboard, costs, new deposits by partner and stream, new streams.
import { z } from 'zod'
import { leadersOr } from '../access.ts'
import type { Call } from '../call.ts'
import type { Pagination } from '../list-query.ts'
import { isDay } from '../period.ts'
import { CHART_PERIODS, COST_METRICS, TOP_METRICS, type TopMetric } from './choices.ts'
import { checkPeriods, selectionFields } from './filter.ts'
import { type Metrics, type REPORT_WARNINGS, type ReportGroup, reportPagination } from './general.ts'

const {
  secondDateFrom: _from,
  secondDateTo: _to,
  knownAt: _known,
  activity: _activity,
  baseLine: _baseLine,
  ...narrowing
} = selectionFields

/** What every one of these answers says of itself. */
export interface Told {
  period: { dateFrom: string; dateTo: string }
  built_at: string
  watermark: string
  currency: string
  warnings: (typeof REPORT_WARNINGS)[number][]
}

// The dashboard

const day = z.string().refine(isDay, { error: 'date_invalid' })
const id = z
  .string()
  .regex(/^\d{1,9}$/, { error: 'value_invalid' })
  .transform(Number)
const ids = z.union([z.array(id).max(1000), id.transform((one) => [one])], { error: 'value_invalid' }).optional()

/** Days of the business zone, from the start of the year to today by default. */
export const dashboardQuery = z
  .strictObject({
    period: z.enum(CHART_PERIODS).default('day'),
    dateFrom: day.optional(),
    dateTo: day.optional(),
    'advertisers[]': ids,
    'countries[]': ids,
    'partners[]': ids,
    'products[]': ids,
    /** What the first five are chosen by; income, or new deposits where income is hidden. */
    metric: z.enum(TOP_METRICS).optional(),
  })
  .superRefine(checkPeriods)
export type DashboardQuery = z.output<typeof dashboardQuery>

export interface ChartPoint {
  /** The first day of the period, and its title. */
  date: string
  title: string
  m: Metrics
}

export interface EfficiencyAnswer extends Told {
  points: ChartPoint[]
  total: Metrics
}

export interface TopAnswer extends Told {
  metric: TopMetric
  /** The first five, the best first; points of periods without anything are absent. */
  rows: { group: ReportGroup; m: Metrics; points: ChartPoint[] }[]
  /** Of all partners or countries. */
  total: Metrics
}

const dashboard = (name: string) =>
  ({
    name: `dashboard_${name}`,
    method: 'GET',
    path: `dashboard/${name}`,
    access: leadersOr('dashboard'),
    query: dashboardQuery,
  }) as const

export const efficiencyChart = { ...dashboard('efficiency_chart'), answer: z.custom<EfficiencyAnswer>() }
export const topPartnersChart = { ...dashboard('top_partners_chart'), answer: z.custom<TopAnswer>() }
export const topCountryChart = { ...dashboard('top_country_chart'), answer: z.custom<TopAnswer>() }

// Costs

const costSorts = ['group', ...COST_METRICS] as const

export const costRequest = z.strictObject({
  filter: z.strictObject(narrowing).superRefine(checkPeriods).prefault({}),
  pagination: reportPagination.prefault({}),
  /** Absent: by partner, stream, country and day. */
  sort: z.strictObject({ by: z.enum(costSorts), desc: z.boolean().default(false) }).optional(),
})
export type CostRequest = z.output<typeof costRequest>

export interface CostRow {
  partner: ReportGroup
  stream: ReportGroup
  country: ReportGroup
  day: ReportGroup
  m: Metrics
}
export interface CostAnswer extends Told {
  rows: CostRow[]
  total: Metrics
  items: number
  pagination: Pagination
}

export const costReport = {
  name: 'cost_report',
  method: 'POST',
  path: 'cost_report',
  access: 'everyone',
  body: costRequest,
  answer: z.custom<CostAnswer>(),
  status: 200,
} as const
/** The same rows, all of them, as a file. */
export const costSheet = {
  name: 'player_report_cost_report',
  method: 'POST',
  path: 'player_report/cost_report',
  access: 'everyone',
  body: costRequest,
  sheet: true,
  status: 200,
} as const

// New deposits of partners and streams

export const newDepositRequest = z.strictObject({
  filter: z
    .strictObject({ period: z.enum(CHART_PERIODS).default('day'), ...narrowing })
    .superRefine(checkPeriods)
    .prefault({}),
})
export type NewDepositRequest = z.output<typeof newDepositRequest>

/** `cells`: new deposits by the first day of the period; a period without any is absent. */
export interface NewDepositRow {
  partner: ReportGroup
  stream?: ReportGroup
  traffic_source?: ReportGroup
  country?: ReportGroup
  cells: Record<string, number>
  total: number
}
export interface NewDepositAnswer extends Told {
  /** Periods that have begun within the days, in order. */
  periods: { date: string; title: string }[]
  rows: NewDepositRow[]
  total: { cells: Record<string, number>; total: number }
}

const partnerReport = (name: string) =>
  ({
    name: `partner_report_${name}`,
    method: 'POST',
    path: `partner_report/${name}`,
    access: leadersOr('partner_report'),
    body: newDepositRequest,
    answer: z.custom<NewDepositAnswer>(),
    status: 200,
  }) as const
export const newDepositReport = partnerReport('new_deposit')
export const streamReport = partnerReport('stream_report')

// New streams

export const newStreamsRequest = z.strictObject({
  /** Days in which a stream's first click, registration or deposit lies; what it brought counts from then to today. */
  filter: z.strictObject(narrowing).superRefine(checkPeriods).prefault({}),
})
export type NewStreamsRequest = z.output<typeof newStreamsRequest>

export interface NewStreamRow {
  manager: ReportGroup
  partner: ReportGroup
  stream: ReportGroup
  /** The day of the first activity. */
  first_day: string
  m: Metrics
}
export interface NewStreamsAnswer extends Told {
  /** The newest first. */
  rows: NewStreamRow[]
  total: Metrics
}

export const newStreams = {
  name: 'new_streams',
  method: 'POST',
  path: 'new_streams',
  access: leadersOr('new_streams'),
  body: newStreamsRequest,
  answer: z.custom<NewStreamsAnswer>(),
  status: 200,
} as const

export const REPORT_CALLS: readonly Call[] = [
  efficiencyChart,
  topPartnersChart,
  topCountryChart,
  costReport,
  costSheet,
  newDepositReport,
  streamReport,
  newStreams,
]
