// What a traffic report may be narrowed by, once, as data; the schema of the filter is made of it. An unknown field or operator is refused by name.
import { z } from 'zod'
import type { RoleKind } from '../access.ts'
import { FILTER_VALUES_CAP, REPORT_DAYS_CAP } from '../limits.ts'
import { daysBetween, isDay } from '../period.ts'
import { GROUP_BYS } from './traffic.ts'

interface ReportFilter {
  /** `references`: ids of an entity; `texts`: values; `period`: 'YYYY-MM-DD|YYYY-MM-DD'. */
  readonly kind: 'references' | 'texts' | 'period'
  readonly entity?: string
  /** A text whose known values can be looked up. */
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
export const REPORT_FILTER_NAMES = Object.keys(REPORT_FILTERS) as ReportFilterName[]
export const reportFilterOf = (name: ReportFilterName): ReportFilter => REPORT_FILTERS[name]
export type ValuedFilterName = {
  [F in ReportFilterName]: (typeof REPORT_FILTERS)[F] extends { hasValues: true } ? F : never
}[ReportFilterName]
export const VALUED_FILTERS = REPORT_FILTER_NAMES.filter(
  (name): name is ValuedFilterName => reportFilterOf(name).hasValues === true,
)

/** Which facts count. `ftd` and `new_players` keep what those players did in the period; the other two keep those facts alone. */
export const ACTIVITIES = ['all', 'ftd', 'deposits', 'registrations', 'new_players'] as const
export type Activity = (typeof ACTIVITIES)[number]
export const BASELINES = ['all', 'qualified', 'unqualified'] as const
export type Baseline = (typeof BASELINES)[number]

const id = z.int().min(0).max(2_147_483_647)
const text = z.string().max(255)
const many = <T extends z.ZodType>(item: T) => z.array(item).max(FILTER_VALUES_CAP)
const day = z.string().refine(isDay, { error: 'date_invalid' })

/** A list means "one of"; {nin} all but these. 0 (or '') stands for facts without a value. */
const references = z.union([many(id), z.strictObject({ in: many(id) }), z.strictObject({ nin: many(id) })], {
  error: explain,
})
const texts = z.union(
  [
    text,
    many(text),
    z.strictObject({ in: many(text) }),
    z.strictObject({ nin: many(text) }),
    z.strictObject({ like: text }),
  ],
  { error: explain },
)
const period = z.string().refine((value) => isPeriod(value), { error: 'date_invalid' })

const OPERATORS = ['in', 'nin', 'like']
function explain({ input }: { input?: unknown }): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'value_invalid'
  return Object.keys(input).every((key) => OPERATORS.includes(key)) ? 'value_invalid' : 'unknown_operator'
}

function isPeriod(value: string): boolean {
  const [from = '', to = '', ...rest] = value.split('|')
  return rest.length === 0 && isDay(from) && isDay(to) && from <= to
}

type FilterSchemas = {
  [F in ReportFilterName]: z.ZodOptional<
    (typeof REPORT_FILTERS)[F]['kind'] extends 'references'
      ? typeof references
      : (typeof REPORT_FILTERS)[F]['kind'] extends 'texts'
        ? typeof texts
        : typeof period
  >
}

const SCHEMAS = { references, texts, period }
// Every key of the record gets the schema of its kind, which a loop cannot tell the compiler.
const fields = Object.fromEntries(
  REPORT_FILTER_NAMES.map((name) => [name, SCHEMAS[reportFilterOf(name).kind].optional()]),
) as FilterSchemas

const groupBy = z.enum(GROUP_BYS)

/** A level that repeats one above it counts as 'off'. */
export const reportFilterSchema = z
  .strictObject({
    groupBy: groupBy.default('offer'),
    secondGroupBy: groupBy.default('traffic_source'),
    thirdGroupBy: groupBy.default('off'),
    fourthGroupBy: groupBy.default('off'),
    /** Business days, both included; today when absent. */
    dateFrom: day.optional(),
    dateTo: day.optional(),
    /** The second period. Without secondDateFrom it is as long as the first. */
    secondDateFrom: day.optional(),
    secondDateTo: day.optional(),
    activity: z.enum(ACTIVITIES).default('all'),
    baseLine: z.enum(BASELINES).default('all'),
    ...fields,
  })
  .superRefine((filter, context) => {
    checkPeriod(filter.dateFrom, filter.dateTo, 'dateTo', context)
    checkPeriod(filter.secondDateFrom, filter.secondDateTo, 'secondDateTo', context)
    if (filter.secondDateFrom !== undefined && filter.secondDateTo === undefined)
      context.addIssue({ code: 'custom', path: ['secondDateTo'], message: 'required' })
  })

export type ReportFilterValues = z.output<typeof reportFilterSchema>
export type ReportFilterInput = z.input<typeof reportFilterSchema>

export const LEVEL_FIELDS = ['groupBy', 'secondGroupBy', 'thirdGroupBy', 'fourthGroupBy'] as const

function checkPeriod(from: string | undefined, to: string | undefined, path: string, context: z.RefinementCtx): void {
  if (from === undefined || to === undefined || !isDay(from) || !isDay(to)) return
  if (from > to) context.addIssue({ code: 'custom', path: [path], message: 'dates_reversed' })
  else if (daysBetween(from, to) > REPORT_DAYS_CAP)
    context.addIssue({ code: 'custom', path: [path], message: 'value_invalid' })
}
