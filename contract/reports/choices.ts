// The options of a traffic report as plain data: filters, levels, activity, baseline. Has no schemas, so that screens need not load zod.
import type { RoleKind } from '../access.ts'
import { DATE_DIMENSIONS, type GroupBy, isDateDimension } from './traffic.ts'

interface ReportFilter {
  /** `references`: ids of an entity; `texts`: values; `period`: 'YYYY-MM-DD|YYYY-MM-DD'. */
  readonly kind: 'references' | 'texts' | 'period'
  readonly entity?: string
  /** A look-up lists the values that occur. */
  readonly hasValues?: true
  readonly hiddenFrom?: readonly RoleKind[]
}

export const REPORT_FILTERS = {
  advertisers: { kind: 'references', entity: 'advertiser', hiddenFrom: ['PARTNER'] },
  offers: { kind: 'references', entity: 'offer' },
  products: { kind: 'references', entity: 'product' },
  paymentModels: { kind: 'references', entity: 'payment_model' },
  partners: { kind: 'references', entity: 'partner' },
  partnerGroups: { kind: 'references', entity: 'partner_group' },
  managers: { kind: 'references', entity: 'user' },
  partnerTags: { kind: 'references', entity: 'partner_tag' },
  offerTags: { kind: 'references', entity: 'offer_partner_tag' },
  streams: { kind: 'references', entity: 'partner_stream' },
  trafficSources: { kind: 'references', entity: 'traffic_source' },
  landings: { kind: 'references', entity: 'landing' },
  countries: { kind: 'references', entity: 'country' },
  geoCountry: { kind: 'references', entity: 'country' },
  affiliateId: { kind: 'texts', hasValues: true },
  siteId: { kind: 'texts', hasValues: true },
  subId: { kind: 'texts', hasValues: true },
  promocode: { kind: 'texts', hasValues: true },
  mediaId: { kind: 'texts', hasValues: true, hiddenFrom: ['PARTNER'] },
  playerOuterId: { kind: 'texts', hasValues: true },
  clickId: { kind: 'texts' },
  firstDeposit: { kind: 'period' },
} as const satisfies Record<string, ReportFilter>

export type ReportFilterName = keyof typeof REPORT_FILTERS
/** Names of all filters of reports, in the order of the filter panel. */
export const REPORT_FILTER_NAMES = Object.keys(REPORT_FILTERS) as ReportFilterName[]
export const isReportFilterName = (name: string): name is ReportFilterName => Object.hasOwn(REPORT_FILTERS, name)
/** The declaration of a report filter. */
export const reportFilterOf = (name: ReportFilterName): ReportFilter => REPORT_FILTERS[name]
/** Filters whose options are the values that facts contain. */
export type ValuedFilterName = {
  [F in ReportFilterName]: (typeof REPORT_FILTERS)[F] extends { hasValues: true } ? F : never
}[ReportFilterName]
/** Names of those filters. */
export const VALUED_FILTERS = REPORT_FILTER_NAMES.filter(
  (name): name is ValuedFilterName => reportFilterOf(name).hasValues === true,
)

/** Which facts count. `ftd` and `new_players` select players and count all their facts; `deposits` and `registrations` count those facts only. */
export const ACTIVITIES = ['all', 'ftd', 'deposits', 'registrations', 'new_players'] as const
export type Activity = (typeof ACTIVITIES)[number]
export const BASELINES = ['all', 'qualified', 'unqualified'] as const
/** Which players count, by their qualification. */
export type Baseline = (typeof BASELINES)[number]

/** Default order of a level: dates ascending, other groups by clicks descending. */
export const defaultSort = (level: GroupBy) =>
  isDateDimension(level) ? ({ by: 'group', desc: false } as const) : ({ by: 'cc', desc: true } as const)

/** Fields of the filter that choose the levels, outermost first. */
export const LEVEL_FIELDS = ['groupBy', 'secondGroupBy', 'thirdGroupBy', 'fourthGroupBy'] as const

/** Names of the levels in an answer, outermost first. The first level that is switched on is `g`. */
export const LEVELS = ['g', 'sg', 'tg', 'fg'] as const
export type LevelName = (typeof LEVELS)[number]

/**
 * The variants of the general report. `isByClick`: a player's facts count on the day and in the groups of the player's click.
 * `isFlat`: one row per innermost group with its groups as columns, read from raw facts.
 */
export const GENERAL_REPORTS = {
  general_report: { isByClick: false, isFlat: false },
  general_report_old: { isByClick: false, isFlat: true },
  general_report_click: { isByClick: true, isFlat: false },
  general_report_click_old: { isByClick: true, isFlat: true },
} as const satisfies Record<string, ReportVariant>

/** How a variant of the general report groups: by click instead of by event; flat instead of by levels. */
export interface ReportVariant {
  readonly isByClick: boolean
  readonly isFlat: boolean
}
export type GeneralReportName = keyof typeof GENERAL_REPORTS
export const GENERAL_REPORT_NAMES = Object.keys(GENERAL_REPORTS) as GeneralReportName[]

/** Periods of a chart, and of the columns of new deposits. */
export const CHART_PERIODS = DATE_DIMENSIONS

/** The metrics by which the dashboard ranks partners and countries. */
export const TOP_METRICS = ['income', 's', 'profit', 'nd', 'deposits_amount', 'cr', 'uc'] as const
export type TopMetric = (typeof TOP_METRICS)[number]
export const TOP_COUNT = 5

export const COST_METRICS = ['ql', 'nd', 's', 'cfd'] as const
