// Requests and answers of the general report, its drill-down, its filter look-ups, and report freshness.
import { z } from 'zod'
import { leadersOr, type Requirement } from '../access.ts'
import { defineReport, type Report } from '../call.ts'
import { ALL, ALL_CAP, DEFAULT_PAGE_SIZE } from '../limits.ts'
import type { LookupAnswer, Pagination } from '../list-query.ts'
import { isDay } from '../period.ts'
import {
  GENERAL_REPORT_NAMES,
  GENERAL_REPORTS,
  type GeneralReportName,
  type LevelName,
  VALUED_FILTERS,
} from './choices.ts'
import { FORMULA_KEY, type FormulaKey } from './column-name.ts'
import { flatReportFilterSchema, reportFilterSchema } from './filter.ts'
import { type ArrowMetric, METRIC_NAMES, type MetricName } from './traffic.ts'

/** A metric of the first period, or of the second (`_2`). */
export type MetricKey = MetricName | `${MetricName}_2`
/** Keys of all columns with metrics: each metric, and the same in the second period (`_2`). */
export const METRIC_KEYS: readonly MetricKey[] = METRIC_NAMES.flatMap((name) => [name, `${name}_2`] as const)

/**
 * Counts are whole; money (report currency) and percentages have at most two decimals; null is a division by zero. Absent: hidden from the viewer's
 * role. `_2` and arrows need a comparison period; an arrow is null if the numbers are equal or one is missing. 'formula:<id>' holds a formula.
 */
export type Metrics = { [M in MetricKey]?: number | null } & {
  [M in `${ArrowMetric}_arrow`]?: 'up' | 'down' | null
} & {
  [F in FormulaKey]?: number | null
}

/**
 * Present if income of some days is not reported yet; `income_2` means the second period. Metrics that rest on income are null if it is
 * reported for no day, otherwise they cover the reported days.
 */
export interface PartlyReported {
  partial?: ('income' | 'income_2')[]
}

/** The group of a row. A cell's path consists of ids; 0 or '' means '<not selected>', with a placeholder as title. */
export interface ReportGroup {
  id: number | string
  title: string
  /** ISO code of a country. */
  code?: string
  /** The day, or the Monday of the week: 'YYYY-MM-DD'. */
  date?: string
  /** ISO number of a week. */
  week?: number
  month?: number
  month_title?: string
  year?: number
  manager_name?: string
  manager_last_name?: string
  partner_group?: string
  main_manager?: string
  site_id?: string
  sub_id?: string
}

/** A row of unallocated spend. Its `id` is the `nus` of a cell. */
export interface SpendGroup {
  id: string
  title: string
  country: string
  partner: string
  stream: string
  date: string
}

/** A flat row has the groups of all levels and no children. */
export type ReportRow = PartlyReported & { m: Metrics; children?: ReportRow[]; s?: SpendGroup } & {
  [L in LevelName]?: ReportGroup
}
/** The numbers of the total row. */
export type ReportTotal = Metrics & PartlyReported

/** An entered spend that no row carries, with titles. `price` is in the report currency. */
export interface UnallocatedSpendItem {
  country: string
  partner: string
  stream: string
  date: string
  price: number
  price_2: number | null
}

/**
 * `known_late`: `knownAt` lies before the log of changes, so the state at that moment is unknown. `levels_cut`: the innermost groups do not fit
 * into one answer; rows of the last level that fits have no children, and all numbers are complete. `clicks_deleted`: retention has deleted
 * clicks of `deleted_months`, without which this report counts fewer.
 */
export const REPORT_WARNINGS = ['rate_missing', 'known_late', 'levels_cut', 'clicks_deleted'] as const
export type ReportWarning = (typeof REPORT_WARNINGS)[number]

/** A formula of the answer, and its version when the answer was made. */
export interface FormulaVersion {
  id: number
  version: number
}

/** The watermark of each source. */
export interface ReportSources {
  clicks: string
  players: string
  spends: string
}

/** A page of the general report. */
export interface GeneralReportAnswer {
  rows: ReportRow[]
  total: ReportTotal
  /** Number of players with any fact in the first period. */
  player_count: number
  /** The newest thousand items of unallocated spend; `rows` includes all of it. */
  not_used_spend: UnallocatedSpendItem[]
  /** The number of all items of unallocated spend, listed or not. */
  not_used_count: number
  /** Number of first-level rows on all pages, including unallocated spend. */
  items: number
  pagination: Pagination
  /** The requested periods with defaults for absent dates. */
  period: { dateFrom: string; dateTo: string; secondDateFrom: string | null; secondDateTo: string | null }
  built_at: string
  /** The report includes changes up to this moment. */
  watermark: string
  /** The requested `knownAt`; null means now. */
  known_at: string | null
  /** The watermark of each source. */
  sources: ReportSources
  /** ISO code of the report currency. */
  currency: string
  warnings: (typeof REPORT_WARNINGS)[number][]
  /** Months ('2026-06') whose deleted clicks are missing in the numbers. Sums by day replace deleted clicks where they can. */
  deleted_months: string[]
  formulas: FormulaVersion[]
}

const compare = z.number()
/** A metric filter: a condition on the shown (rounded) value of first-level rows. A null value meets no condition. */
export const metricCondition = z.strictObject({
  eq: compare.optional(),
  gt: compare.optional(),
  gte: compare.optional(),
  lt: compare.optional(),
  lte: compare.optional(),
})
/** A metric filter. All of its comparisons must hold. */
export type MetricCondition = z.output<typeof metricCondition>

// An absent key does not filter; an unknown key is rejected by name.
const cfFilter = z.strictObject(
  Object.fromEntries(METRIC_KEYS.map((key) => [key, metricCondition.optional()])),
) as z.ZodType<Partial<Record<MetricKey, MetricCondition>>>

/** 'group' sorts by titles or dates of groups. 'spend' is an alias of 's'. */
const SORT_NAMES = [...METRIC_KEYS, 'group', 'spend', 'spend_2'] as const
/** What rows can be sorted by: a metric, their group, entered spend or a formula. */
export type SortKey = MetricKey | 'group' | 'spend' | 'spend_2' | FormulaKey

/** A sort key: one of `names` or a formula ('formula:12'), which may no longer exist. */
export const sortBySchema = <N extends string>(names: readonly N[]) =>
  z.union([z.enum(names), z.string().regex(FORMULA_KEY)], { error: 'choice_unknown' }) as z.ZodType<N | FormulaKey>

/** Ids of the formulas to include in the answer, or 'all'. Unknown ids are ignored. */
export const formulasSchema = z
  .union([z.literal('all'), z.array(z.int().min(1).max(999_999_999)).max(100)], { error: 'value_invalid' })
  .default([])
/** The formulas that a query adds as columns. */
export type RequestedFormulas = z.output<typeof formulasSchema>

export const reportPagination = z.strictObject({
  page: z.int().min(1).max(1_000_000).default(1),
  limit: z.union([z.literal(ALL), z.int().min(1).max(ALL_CAP)]).default(DEFAULT_PAGE_SIZE),
})

const requestFields = {
  cfFilter: cfFilter.default({}),
  pagination: reportPagination.prefault({}),
  /** Default: dates ascending, other groups by clicks, flat rows by their groups. The order applies to every level. */
  sort: z.strictObject({ by: sortBySchema(SORT_NAMES), desc: z.boolean().default(false) }).optional(),
  formulas: formulasSchema,
}

export const generalReportRequest = z.strictObject({ filter: reportFilterSchema.prefault({}), ...requestFields })
export const flatReportRequest = z.strictObject({ filter: flatReportFilterSchema.prefault({}), ...requestFields })
/** A parsed query of a general report. */
export type GeneralReportRequest = z.output<typeof generalReportRequest>
/** A query of a general report as it is sent: members with defaults may be absent. */
export type GeneralReportInput = z.input<typeof generalReportRequest>

/** A number of the report: its metric and the ids of its row's groups, outermost first (none for the total), or `nus` for unallocated spend. */
const cell = z.strictObject({
  path: z
    .array(z.union([z.int().min(0), z.string().max(600)]))
    .max(4)
    .default([]),
  nus: z.string().max(100).optional(),
  metric: z.enum(METRIC_KEYS),
})
/** The number whose facts are requested. */
export type ReportCell = z.output<typeof cell>

const drillFields = { cfFilter: cfFilter.default({}), cell, pagination: reportPagination.prefault({}) }
export const generalReportRowsRequest = z.strictObject({ filter: reportFilterSchema.prefault({}), ...drillFields })
const flatReportRowsRequest = z.strictObject({ filter: flatReportFilterSchema.prefault({}), ...drillFields })
/** A parsed query for the facts behind a number of a general report. */
export type GeneralReportRowsRequest = z.output<typeof generalReportRowsRequest>

/** The kinds of facts behind a number. */
export const ROW_KINDS = ['clicks', 'players', 'player_days', 'spends'] as const
/** One of `ROW_KINDS`. */
export type RowKind = (typeof ROW_KINDS)[number]

interface TracedRow {
  /** Business day on which the fact counts. */
  day: string
  partner: { id: number; title: string } | null
  offer: { id: number; title: string } | null
  stream: { id: number; title: string } | null
  traffic_source: { id: number; title: string } | null
  country: { id: number; title: string } | null
  site_id: string
  /** Amount that the fact adds to the number. */
  value: number
}
/** A click behind a number. */
export interface ClickRow extends TracedRow {
  id: string
  created_at: string
  sub_id: string
  promocode: string
  ip_country: string
  uniqueness: 'unique' | 'duplicate'
  user_agent: string
}
/** A player, or a player's day. */
export interface PlayerRow extends TracedRow {
  player: number
  player_outer_id: string
  click_id: string | null
  sub_id: string
  promocode: string
  registered_day: string | null
  first_deposit_day: string | null
  qualification: string
}
/** The kinds of terms: a price per player, a share of income, a percentage on entered spend. */
export const SPEND_TERM_KINDS = ['cpa', 'rs', 'agency'] as const
/** What a spend is computed from. */
export interface SpendTerm {
  kind: (typeof SPEND_TERM_KINDS)[number]
  /** The price in `currency`, or the percentage. Null, like `base`, if the viewer's role may not see it. */
  rate: number | null
  /** ISO code. */
  currency: string
  /** The number of players, of days with income, or of entered spends. */
  quantity: number
  /** The sum of prices, income or entered spend, in `currency`. */
  base: number | null
  /** In the report currency. */
  amount: number
}

/** A spend behind a number. */
export interface SpendRow extends TracedRow {
  terms: SpendTerm[]
  /** `player`: price and share of income for a player on that day; `entered`: entered spend. */
  type: 'player' | 'entered'
  player: number | null
  player_outer_id: string | null
}

/** A page of the records behind a number. */
export interface GeneralReportRowsAnswer {
  kind: RowKind
  items: (ClickRow | PlayerRow | SpendRow)[]
  pagination: Pagination
  /** The number as the report shows it; for a ratio, its numerator. */
  total: number
  /** The metric whose facts are listed: of a ratio the numerator, of a difference the minuend. `made_of` lists all its metrics. */
  metric: MetricName
  made_of: MetricName[]
  /** Spends alone have terms: the largest of all rows, and their number. */
  terms: SpendTerm[]
  terms_count: number
  /** Months ('2026-06') whose clicks retention has deleted: they are counted in the report, but cannot be listed. */
  deleted_months: string[]
}

const valuesQuery = z.strictObject({
  field: z.enum(VALUED_FILTERS),
  query: z.string().max(255).default(''),
  page: z.coerce.number().int().min(1).max(10_000).default(1),
  limit: z.coerce.number().int().min(-1).max(1000).default(10),
})
/** A parsed query for the values that a filter offers. */
export type ReportValuesQuery = z.output<typeof valuesQuery>

export const REPORT_TYPES = [
  'generalReportOld',
  'generalReport',
  'cohortAnalysis',
  'cohortAnalysisCumulative',
  'budgetReport',
  'dashboardReport',
  'paymentInvoice',
] as const

/** Each text is empty if the data is current; otherwise a sentence names the facts that are being recomputed. */
export interface ReportNotification {
  update_base_line: string
  update_report_data: string
  update_spend: string
  /** Present if asked for. Equal versions: no fact of the first day or later has changed. Empty: facts are being written. */
  version?: string | undefined
}

const day = z.string().refine(isDay, { error: 'date_invalid' }).optional()
/** The report's filter. Its periods decide which recomputations concern the report; its other fields are ignored. */
const notificationQuery = z.looseObject({
  report: z.enum(REPORT_TYPES),
  dateFrom: day,
  dateTo: day,
  secondDateFrom: day,
  secondDateTo: day,
  /** Asks for the version of the facts. */
  version: z.literal('1').optional(),
})
/** A parsed question about the freshness of a report's numbers. */
export type ReportNotificationQuery = z.output<typeof notificationQuery>

const access = leadersOr('general_report')

export const generalReportValues = {
  name: 'general_report_values',
  method: 'GET',
  path: 'general_report/values',
  access,
  query: valuesQuery,
  answer: z.custom<LookupAnswer>(),
} as const

export const reportNotification = {
  name: 'player_report_notification',
  method: 'GET',
  path: 'player_report/notification',
  access: 'everyone',
  query: notificationQuery,
  answer: z.strictObject({
    update_base_line: z.string(),
    update_report_data: z.string(),
    update_spend: z.string(),
    version: z.string().optional(),
  }),
} as const

/** The call that lists the facts behind a number of a report. */
export const rowsCall = <A extends Requirement, B extends z.ZodType>(path: string, access: A, body: B) =>
  ({
    name: `${path.replace('/', '_')}_rows`,
    method: 'POST',
    path: `${path}/rows`,
    access,
    isReading: true,
    body,
    answer: z.custom<GeneralReportRowsAnswer>(),
    status: 200,
  }) as const

function defineGeneral(name: GeneralReportName): Report {
  const { isFlat } = GENERAL_REPORTS[name]
  const rows = rowsCall(name, access, isFlat ? flatReportRowsRequest : generalReportRowsRequest)
  return defineReport({
    name,
    path: name,
    access,
    request: isFlat ? flatReportRequest : generalReportRequest,
    answer: z.custom<GeneralReportAnswer>(),
    calls: name === 'general_report' ? [rows, generalReportValues, reportNotification] : [rows],
  })
}

export const generalReports: readonly Report[] = GENERAL_REPORT_NAMES.map(defineGeneral)
