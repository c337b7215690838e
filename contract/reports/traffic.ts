// Every dimension and metric of traffic, once. Screens take labels, formulas and units from here; the server maps each one to SQL.
import type { RoleKind } from '../access.ts'

/** Where facts come from. `activity` has everything about players, on the day on which it counts. */
export const SOURCES = ['click', 'activity', 'spend'] as const
export type SourceName = (typeof SOURCES)[number]

/** Groups of dimensions, for menus. */
export const DIMENSION_FAMILIES = ['offer', 'partner', 'traffic', 'player', 'place', 'date'] as const
export type DimensionFamily = (typeof DIMENSION_FAMILIES)[number]

/** Dimensions that are stretches of days; also the periods of charts and the units of cohorts. */
export const DATE_DIMENSIONS = ['day', 'week', 'month'] as const
export type DateDimension = (typeof DATE_DIMENSIONS)[number]

interface Dimension {
  readonly family: DimensionFamily
  /** What a group is: a row of an entity, a text, or a stretch of days. */
  readonly value: 'reference' | 'text' | DateDimension
  /** The entity that a reference points to. */
  readonly entity?: string
  /** Sources that know it. Facts of others stand under '<not selected>'; entered spend becomes unallocated, shown as NUS. */
  readonly sources: readonly SourceName[]
  readonly hiddenFrom?: readonly RoleKind[]
}

const EVERY = ['click', 'activity', 'spend'] as const
const PEOPLE = ['click', 'activity'] as const

export const DIMENSIONS = {
  offer: { family: 'offer', value: 'reference', entity: 'offer', sources: EVERY },
  advertiser: { family: 'offer', value: 'reference', entity: 'advertiser', sources: EVERY, hiddenFrom: ['PARTNER'] },
  product: { family: 'offer', value: 'reference', entity: 'product', sources: EVERY },
  payment_model: { family: 'offer', value: 'reference', entity: 'payment_model', sources: EVERY },
  partner: { family: 'partner', value: 'reference', entity: 'partner', sources: EVERY },
  stream: { family: 'partner', value: 'reference', entity: 'partner_stream', sources: EVERY },
  partner_group: { family: 'partner', value: 'reference', entity: 'partner_group', sources: EVERY },
  manager: { family: 'partner', value: 'reference', entity: 'user', sources: EVERY },
  affiliate_id: { family: 'partner', value: 'text', sources: EVERY },
  traffic_source: { family: 'traffic', value: 'reference', entity: 'traffic_source', sources: EVERY },
  landing: { family: 'traffic', value: 'reference', entity: 'landing', sources: PEOPLE },
  site_id: { family: 'traffic', value: 'text', sources: EVERY },
  sub_id: { family: 'traffic', value: 'text', sources: EVERY },
  site_id_sub_id: { family: 'traffic', value: 'text', sources: EVERY },
  promocode: { family: 'traffic', value: 'text', sources: PEOPLE },
  country: { family: 'place', value: 'reference', entity: 'country', sources: EVERY },
  actual_country: { family: 'place', value: 'reference', entity: 'country', sources: PEOPLE },
  player_outer_id: { family: 'player', value: 'text', sources: ['activity'] },
  day: { family: 'date', value: 'day', sources: EVERY },
  week: { family: 'date', value: 'week', sources: EVERY },
  month: { family: 'date', value: 'month', sources: EVERY },
} as const satisfies Record<string, Dimension>

export type DimensionName = keyof typeof DIMENSIONS
/** A choice of a level: a dimension, or 'off'. */
export type GroupBy = DimensionName | 'off'

export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as DimensionName[]
export const GROUP_BYS: readonly GroupBy[] = [...DIMENSION_NAMES, 'off']

/** A dimension with its optional members. */
export const dimensionOf = (name: DimensionName): Dimension => DIMENSIONS[name]
export const isDateDimension = (name: GroupBy): name is DateDimension =>
  (DATE_DIMENSIONS as readonly GroupBy[]).includes(name)

/**
 * The summable quantities that metrics are derived from, each of one source. Money is in ten-thousandths of the report currency. `distinct` ones
 * are counted again at every level and for every total; the others add up.
 */
export const COMPONENTS = {
  clicks: { kind: 'count', source: 'click' },
  unique_clicks: { kind: 'count', source: 'click' },
  registrations: { kind: 'count', source: 'activity' },
  new_deposits: { kind: 'count', source: 'activity' },
  deposits_count: { kind: 'count', source: 'activity' },
  deposits_amount: { kind: 'money', source: 'activity' },
  first_day_amount: { kind: 'money', source: 'activity' },
  first_amount: { kind: 'money', source: 'activity' },
  bets: { kind: 'money', source: 'activity' },
  bettors: { kind: 'distinct', source: 'activity' },
  income: { kind: 'money', source: 'activity' },
  player_spend: { kind: 'money', source: 'activity' },
  entered_spend: { kind: 'money', source: 'spend' },
  qualified_players: { kind: 'count', source: 'activity' },
  cohort_players: { kind: 'count', source: 'activity' },
  depositors: { kind: 'count', source: 'activity' },
} as const satisfies Record<string, { kind: 'count' | 'money' | 'distinct'; source: SourceName }>

export type ComponentName = keyof typeof COMPONENTS
export const COMPONENT_NAMES = Object.keys(COMPONENTS) as ComponentName[]

/** A sum of components, minus others. */
export interface Sum {
  readonly plus: readonly ComponentName[]
  readonly minus?: readonly ComponentName[]
}

/** A number of a report. Without `over` a sum; with it a ratio, null when the divisor is zero. */
interface Metric {
  readonly unit: 'count' | 'money' | 'percent'
  readonly sum: Sum
  readonly over?: Sum
  readonly times?: 100
  /** The metrics that a ratio is made of, the numerator first. */
  readonly madeOf?: readonly string[]
  readonly arrow?: true
  /** Not a column of the general report: other reports have it. */
  readonly isElsewhere?: true
  readonly hiddenFrom?: readonly RoleKind[]
}

const SPEND = ['player_spend', 'entered_spend'] as const

/** In the order in which the columns stand. The key is the name on the wire and the key of label and formula. */
export const METRICS = {
  cc: { unit: 'count', sum: { plus: ['clicks'] } },
  uc: { unit: 'count', sum: { plus: ['unique_clicks'] } },
  click_reg: {
    unit: 'percent',
    sum: { plus: ['registrations'] },
    over: { plus: ['unique_clicks'] },
    times: 100,
    madeOf: ['cr', 'uc'],
  },
  cr: { unit: 'count', sum: { plus: ['registrations'] } },
  nd: { unit: 'count', sum: { plus: ['new_deposits'] } },
  reg_dep: {
    unit: 'percent',
    sum: { plus: ['new_deposits'] },
    over: { plus: ['registrations'] },
    times: 100,
    madeOf: ['nd', 'cr'],
  },
  deposits: { unit: 'count', sum: { plus: ['deposits_count'] } },
  deposits_amount: { unit: 'money', sum: { plus: ['deposits_amount'] } },
  first_day_amount: { unit: 'money', sum: { plus: ['first_day_amount'] } },
  first_amount: { unit: 'money', sum: { plus: ['first_amount'] } },
  bets: { unit: 'money', sum: { plus: ['bets'] } },
  avg_bet: { unit: 'money', sum: { plus: ['bets'] }, over: { plus: ['bettors'] }, madeOf: ['bets'] },
  avg_check: {
    unit: 'money',
    sum: { plus: ['deposits_amount'] },
    over: { plus: ['deposits_count'] },
    madeOf: ['deposits_amount', 'deposits'],
    arrow: true,
  },
  avg_new_check: {
    unit: 'money',
    sum: { plus: ['first_amount'] },
    over: { plus: ['new_deposits'] },
    madeOf: ['first_amount', 'nd'],
  },
  income: { unit: 'money', sum: { plus: ['income'] }, hiddenFrom: ['PARTNER'] },
  s: { unit: 'money', sum: { plus: SPEND } },
  cfd: { unit: 'money', sum: { plus: SPEND }, over: { plus: ['new_deposits'] }, madeOf: ['s', 'nd'], arrow: true },
  roi: {
    unit: 'percent',
    sum: { plus: ['income'], minus: SPEND },
    over: { plus: SPEND },
    times: 100,
    madeOf: ['income', 's'],
    arrow: true,
    hiddenFrom: ['PARTNER'],
  },
  ql: { unit: 'count', sum: { plus: ['qualified_players'] }, isElsewhere: true },
  size: { unit: 'count', sum: { plus: ['cohort_players'] }, isElsewhere: true },
  players: { unit: 'count', sum: { plus: ['depositors'] }, isElsewhere: true },
  retention: {
    unit: 'percent',
    sum: { plus: ['depositors'] },
    over: { plus: ['cohort_players'] },
    times: 100,
    madeOf: ['players', 'size'],
    isElsewhere: true,
  },
  cohort_check: {
    unit: 'money',
    sum: { plus: ['deposits_amount'] },
    over: { plus: ['new_deposits'] },
    madeOf: ['deposits_amount', 'nd'],
    isElsewhere: true,
  },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof METRICS
export const metricOf = (name: MetricName): Metric => METRICS[name]
/** The columns of the general report. */
export const METRIC_NAMES = (Object.keys(METRICS) as MetricName[]).filter((name) => metricOf(name).isElsewhere !== true)

/** Metrics that say whether they went up or down against the second period. */
export type ArrowMetric = { [M in MetricName]: (typeof METRICS)[M] extends { arrow: true } ? M : never }[MetricName]
export const ARROW_METRICS = METRIC_NAMES.filter((name): name is ArrowMetric => metricOf(name).arrow === true)

export const isMetric = (text: string): text is MetricName => Object.hasOwn(METRICS, text)

/** The metric of a key, and whether the key is of the second period. Throws Error for any other key. */
export function splitKey(key: MetricName | `${MetricName}_2`): { metric: MetricName; isSecond: boolean } {
  if (isMetric(key)) return { metric: key, isSecond: false }
  const metric = key.slice(0, -2)
  if (!isMetric(metric)) throw new Error(`${key} is not a metric`)
  return { metric, isSecond: true }
}

export const isVisibleTo = (what: { readonly hiddenFrom?: readonly RoleKind[] }, role: RoleKind): boolean =>
  what.hiddenFrom?.includes(role) !== true

/** For a key of a column or of an order; keys that are not metrics are visible. */
export function isKeyVisibleTo(key: string, role: RoleKind): boolean {
  const name = key.replace(/_2$/, '')
  return !isMetric(name) || isVisibleTo(metricOf(name), role)
}

/** The levels that the role sees; a report has one level at least. */
export function visibleLevels(levels: readonly DimensionName[], role: RoleKind): readonly DimensionName[] {
  const seen = levels.filter((name) => isVisibleTo(dimensionOf(name), role))
  return seen.length > 0 ? seen : ['offer']
}
