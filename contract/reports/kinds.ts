// Requests and answers of fixed-shape reports: dashboard, costs, new deposits by partner and stream, new streams.
import { z } from 'zod'
import { leadersOr, type Requirement } from '../access.ts'
import { defineReport, type Report } from '../call.ts'
import type { Pagination } from '../list-query.ts'
import { isDay } from '../period.ts'
import { CHART_PERIODS, COST_METRICS, TOP_METRICS, type TopMetric } from './choices.ts'
import { checkPeriods, selectionFields } from './filter.ts'
import {
  type FormulaVersion,
  formulasSchema,
  type Metrics,
  type PartlyReported,
  type REPORT_WARNINGS,
  type ReportGroup,
  type ReportSources,
  type ReportTotal,
  reportPagination,
  rowsCall,
  sortBySchema,
} from './general.ts'
import { METRIC_NAMES } from './traffic.ts'

const {
  secondDateFrom,
  secondDateTo,
  knownAt: _known,
  activity: _activity,
  baseLine: _baseLine,
  ...narrowing
} = selectionFields

/** Fields of every fixed-shape report's answer. */
export interface FixedShapeHeader {
  period: { dateFrom: string; dateTo: string }
  built_at: string
  watermark: string
  sources: ReportSources
  currency: string
  warnings: (typeof REPORT_WARNINGS)[number][]
}

/** `path`: ids of the row's groups from the left, empty for the total. `period`: first day of the column if columns are periods. */
const cell = z.strictObject({
  path: z
    .array(z.union([z.int().min(0), z.string().max(600)]))
    .max(4)
    .default([]),
  period: z.string().refine(isDay, { error: 'date_invalid' }).optional(),
  metric: z.enum([...METRIC_NAMES, 'ql']),
})
/** The number of a fixed-shape report whose facts are requested. */
export type FixedShapeCell = z.output<typeof cell>

const cellRows = <F extends z.ZodType, C extends z.ZodType>(path: string, access: Requirement, filter: F, at: C) =>
  rowsCall(path, access, z.strictObject({ filter, cell: at, pagination: reportPagination.prefault({}) }))

const day = z.string().refine(isDay, { error: 'date_invalid' })
const id = z
  .string()
  .regex(/^\d{1,9}$/, { error: 'value_invalid' })
  .transform(Number)
const ids = z.union([z.array(id).max(1000), id.transform((one) => [one])], { error: 'value_invalid' }).optional()

/** Days are business days; the default is from the start of the year to today. */
export const dashboardQuery = z
  .strictObject({
    period: z.enum(CHART_PERIODS).default('day'),
    dateFrom: day.optional(),
    dateTo: day.optional(),
    'advertisers[]': ids,
    'countries[]': ids,
    'partners[]': ids,
    'products[]': ids,
    /** Ranks partners and countries; by default income, or new deposits if income is hidden. */
    metric: z.enum(TOP_METRICS).optional(),
  })
  .superRefine(checkPeriods)
/** A parsed query of the dashboard. */
export type DashboardQuery = z.output<typeof dashboardQuery>

/** The metrics of one period of a chart. */
export interface ChartPoint extends PartlyReported {
  /** First day of the period. */
  date: string
  title: string
  m: Metrics
}

/** Metrics over time. */
export interface EfficiencyAnswer extends FixedShapeHeader {
  points: ChartPoint[]
  total: ReportTotal
}

/** The best groups of a dimension over time. */
export interface TopAnswer extends FixedShapeHeader {
  metric: TopMetric
  /** The first TOP_COUNT groups, best first; periods without facts have no point. */
  rows: ({ group: ReportGroup; m: Metrics; points: ChartPoint[] } & PartlyReported)[]
  /** Total of all partners or countries. */
  total: ReportTotal
  /** Total of the groups of `rows`. */
  top_total: ReportTotal
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

const dashboardFilter = z
  .strictObject({
    period: z.enum(CHART_PERIODS).default('day'),
    metric: z.enum(TOP_METRICS).optional(),
    ...narrowing,
    secondDateFrom,
    secondDateTo,
  })
  .superRefine(checkPeriods)
  .prefault({})
/** Requests all charts of the dashboard at once. The default days are those of `dashboardQuery`. */
export const dashboardRequest = z.strictObject({ filter: dashboardFilter })
/** A parsed request for the whole dashboard. */
export type DashboardRequest = z.output<typeof dashboardRequest>

/** Everything that the dashboard shows. */
export interface DashboardAnswer extends FixedShapeHeader {
  metric: TopMetric
  points: ChartPoint[]
  partners: TopAnswer['rows']
  partners_total: ReportTotal
  countries: TopAnswer['rows']
  countries_total: ReportTotal
  /** With the metrics of the comparison period (`_2`), if the request has one; the charts never have them. */
  total: ReportTotal
  /** The comparison period. */
  second: { dateFrom: string; dateTo: string } | null
  /**
   * Both periods up to the last day that all advertisers have reported, if the whole period has later days: numbers that rest on income compare
   * over these days. Absent if nothing is missing, or if no such days are left.
   */
  reported?: ReportedComparison
}

/** Two periods of equal length, and their total with the metrics of the second one (`_2`). */
export interface ReportedComparison {
  dateFrom: string
  dateTo: string
  secondDateFrom: string
  secondDateTo: string
  total: ReportTotal
}

/** `of`: the chart. The path of a point in the partner or country chart is its group's id and the period. */
const dashboardCell = cell.extend({ of: z.enum(['all', 'partner', 'country']).default('all') })
const dashboardRows = cellRows('dashboard', leadersOr('dashboard'), dashboardFilter, dashboardCell)
/** A parsed query for the facts behind a number of the dashboard. */
export type DashboardRowsRequest = z.output<typeof dashboardRows.body>
const dashboardReport = defineReport({
  name: 'dashboard',
  path: 'dashboard',
  access: leadersOr('dashboard'),
  request: dashboardRequest,
  answer: z.custom<DashboardAnswer>(),
  calls: [efficiencyChart, topPartnersChart, topCountryChart, dashboardRows],
})

const costSorts = ['group', ...COST_METRICS] as const

const costFilter = z.strictObject(narrowing).superRefine(checkPeriods).prefault({})
export const costRequest = z.strictObject({
  filter: costFilter,
  pagination: reportPagination.prefault({}),
  /** Default: by partner, stream, country and day. */
  sort: z.strictObject({ by: sortBySchema(costSorts), desc: z.boolean().default(false) }).optional(),
  formulas: formulasSchema,
})
/** A parsed query of the cost report. */
export type CostRequest = z.output<typeof costRequest>

/** A partner's stream in a country on a day. */
export interface CostRow {
  partner: ReportGroup
  stream: ReportGroup
  country: ReportGroup
  day: ReportGroup
  m: Metrics
}
/** A page of the cost report. */
export interface CostAnswer extends FixedShapeHeader {
  rows: CostRow[]
  total: Metrics
  items: number
  pagination: Pagination
  formulas: FormulaVersion[]
}

/** Returns all rows of the cost report as a file. */
export const costSheet = {
  name: 'player_report_cost_report',
  method: 'POST',
  path: 'player_report/cost_report',
  access: 'everyone',
  isReading: true,
  body: costRequest,
  sheet: true,
  status: 200,
} as const
const costRows = cellRows('cost_report', 'everyone', costFilter, cell)
/** A parsed query for the facts behind a number of the cost report. */
export type CostRowsRequest = z.output<typeof costRows.body>
const costReport = defineReport({
  name: 'cost_report',
  path: 'cost_report',
  access: 'everyone',
  request: costRequest,
  answer: z.custom<CostAnswer>(),
  calls: [costSheet, costRows],
})

const newDepositFilter = z
  .strictObject({ period: z.enum(CHART_PERIODS).default('day'), ...narrowing })
  .superRefine(checkPeriods)
  .prefault({})
export const newDepositRequest = z.strictObject({ filter: newDepositFilter })
/** A parsed query of the reports of new deposits. */
export type NewDepositRequest = z.output<typeof newDepositRequest>

/** What the rows of the reports of new deposits are grouped by. */
export type NewDepositGroup = 'partner' | 'stream' | 'traffic_source' | 'country'

/** `cells`: number of new deposits by the period's first day; periods without new deposits are absent. */
export interface NewDepositRow {
  partner: ReportGroup
  stream?: ReportGroup
  traffic_source?: ReportGroup
  country?: ReportGroup
  cells: Record<string, number>
  total: number
}
/** First deposits of each group by period. */
export interface NewDepositAnswer extends FixedShapeHeader {
  /** Periods that overlap the requested days, in order. */
  periods: { date: string; title: string }[]
  rows: NewDepositRow[]
  total: { cells: Record<string, number>; total: number }
}

/** Groups of a row in each report. Rows with a stream also name its partner. */
export const NEW_DEPOSIT_REPORTS = {
  'partner_report/new_deposit': ['partner'],
  'partner_report/stream_report': ['stream', 'traffic_source', 'country'],
} as const satisfies Record<string, readonly NewDepositGroup[]>
export type NewDepositName = keyof typeof NEW_DEPOSIT_REPORTS
/** Paths of the reports of new deposits on the wire. */
export const NEW_DEPOSIT_NAMES = Object.keys(NEW_DEPOSIT_REPORTS) as NewDepositName[]

/** A cell's path is its row's: the partner, or stream, traffic source and country. */
const newDepositRows = (path: NewDepositName) => cellRows(path, leadersOr('partner_report'), newDepositFilter, cell)
/** A parsed query for the facts behind a number of new deposits. */
export type NewDepositRowsRequest = z.output<ReturnType<typeof newDepositRows>['body']>
const newDepositReports = NEW_DEPOSIT_NAMES.map((path) =>
  defineReport({
    name: path.replace('/', '_'),
    path,
    access: leadersOr('partner_report'),
    request: newDepositRequest,
    answer: z.custom<NewDepositAnswer>(),
    calls: [newDepositRows(path)],
  }),
)

/** The days select streams by their first click, registration or deposit; metrics count from then to today. */
const newStreamsFilter = z.strictObject(narrowing).superRefine(checkPeriods).prefault({})
export const newStreamsRequest = z.strictObject({ filter: newStreamsFilter, formulas: formulasSchema })
/** A parsed query of the report of new streams. */
export type NewStreamsRequest = z.output<typeof newStreamsRequest>

/** A stream that was first active in the requested days. */
export interface NewStreamRow extends PartlyReported {
  manager: ReportGroup
  partner: ReportGroup
  stream: ReportGroup
  /** The day of the first activity. */
  first_day: string
  m: Metrics
}
/** The report of new streams. */
export interface NewStreamsAnswer extends FixedShapeHeader {
  /** The newest first. */
  rows: NewStreamRow[]
  total: ReportTotal
  formulas: FormulaVersion[]
}

const newStreamsRows = cellRows('new_streams', leadersOr('new_streams'), newStreamsFilter, cell)
/** A parsed query for the facts behind a number of new streams. */
export type NewStreamsRowsRequest = z.output<typeof newStreamsRows.body>
const newStreams = defineReport({
  name: 'new_streams',
  path: 'new_streams',
  access: leadersOr('new_streams'),
  request: newStreamsRequest,
  answer: z.custom<NewStreamsAnswer>(),
  calls: [newStreamsRows],
})

export const kindReports: readonly Report[] = [dashboardReport, costReport, ...newDepositReports, newStreams]
