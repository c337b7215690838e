// Defines every dimension, component and metric of traffic. Screens derive columns from them; the server maps each to SQL.
import type { RoleKind } from '../access.ts'

/** Sources of facts. `activity` has all facts of players, on the day on which they count. */
export const SOURCES = ['click', 'activity', 'spend'] as const
export type SourceName = (typeof SOURCES)[number]

/** Groups of dimensions, for menus. */
export const DIMENSION_FAMILIES = ['offer', 'partner', 'traffic', 'player', 'place', 'date'] as const
export type DimensionFamily = (typeof DIMENSION_FAMILIES)[number]

/** Dimensions that are periods; charts and cohorts use the same ones. */
export const DATE_DIMENSIONS = ['day', 'week', 'month'] as const
export type DateDimension = (typeof DATE_DIMENSIONS)[number]

interface Dimension {
  readonly family: DimensionFamily
  /** Type of a group: a row of an entity, a text, or a period. */
  readonly value: 'reference' | 'text' | DateDimension
  /** The entity that a reference points to. */
  readonly entity?: string
  /** Sources that have the dimension. Facts of other sources count under '<not selected>'; entered spend becomes unallocated (NUS). */
  readonly sources: readonly SourceName[]
  readonly hiddenFrom?: readonly RoleKind[]
}

const ALL_SOURCES = ['click', 'activity', 'spend'] as const
const NOT_SPEND = ['click', 'activity'] as const

export const DIMENSIONS = {
  offer: { family: 'offer', value: 'reference', entity: 'offer', sources: ALL_SOURCES },
  advertiser: {
    family: 'offer',
    value: 'reference',
    entity: 'advertiser',
    sources: ALL_SOURCES,
    hiddenFrom: ['PARTNER'],
  },
  product: { family: 'offer', value: 'reference', entity: 'product', sources: ALL_SOURCES },
  payment_model: { family: 'offer', value: 'reference', entity: 'payment_model', sources: ALL_SOURCES },
  partner: { family: 'partner', value: 'reference', entity: 'partner', sources: ALL_SOURCES },
  stream: { family: 'partner', value: 'reference', entity: 'partner_stream', sources: ALL_SOURCES },
  partner_group: { family: 'partner', value: 'reference', entity: 'partner_group', sources: ALL_SOURCES },
  manager: { family: 'partner', value: 'reference', entity: 'user', sources: ALL_SOURCES },
  affiliate_id: { family: 'partner', value: 'text', sources: ALL_SOURCES },
  traffic_source: { family: 'traffic', value: 'reference', entity: 'traffic_source', sources: ALL_SOURCES },
  landing: { family: 'traffic', value: 'reference', entity: 'landing', sources: NOT_SPEND },
  site_id: { family: 'traffic', value: 'text', sources: ALL_SOURCES },
  sub_id: { family: 'traffic', value: 'text', sources: ALL_SOURCES },
  site_id_sub_id: { family: 'traffic', value: 'text', sources: ALL_SOURCES },
  promocode: { family: 'traffic', value: 'text', sources: NOT_SPEND },
  country: { family: 'place', value: 'reference', entity: 'country', sources: ALL_SOURCES },
  actual_country: { family: 'place', value: 'reference', entity: 'country', sources: NOT_SPEND },
  player_outer_id: { family: 'player', value: 'text', sources: ['activity'] },
  day: { family: 'date', value: 'day', sources: ALL_SOURCES },
  week: { family: 'date', value: 'week', sources: ALL_SOURCES },
  month: { family: 'date', value: 'month', sources: ALL_SOURCES },
} as const satisfies Record<string, Dimension>

export type DimensionName = keyof typeof DIMENSIONS
/** A choice of a level: a dimension, or 'off'. */
export type GroupBy = DimensionName | 'off'

/** All dimensions, in the order in which screens offer them. */
export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as DimensionName[]
/** What a level may be grouped by; 'off' leaves the level out. */
export const GROUP_BYS: readonly GroupBy[] = [...DIMENSION_NAMES, 'off']

/** The dimension, typed with its optional members. */
export const dimensionOf = (name: DimensionName): Dimension => DIMENSIONS[name]
/** True for day, week and month. */
export const isDateDimension = (name: GroupBy): name is DateDimension =>
  (DATE_DIMENSIONS as readonly GroupBy[]).includes(name)

/**
 * Summable quantities, each from one source, from which metrics are derived. Money is in ten-thousandths of the report currency. `distinct`
 * components are counted again at every level and for every total; the others add up.
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

/** A metric is a sum, or a ratio if it has `over`; a ratio is null if the divisor is zero. */
interface Metric {
  readonly unit: 'count' | 'money' | 'percent'
  readonly sum: Sum
  readonly over?: Sum
  readonly times?: 100
  /** The metrics of a ratio or a difference, numerator or minuend first. */
  readonly madeOf?: readonly string[]
  readonly arrow?: true
  /** Not a column of the general report; only other reports have it. */
  readonly isElsewhere?: true
  readonly hiddenFrom?: readonly RoleKind[]
}

const SPEND = ['player_spend', 'entered_spend'] as const

/** Metrics in the order of columns. The key is the name on the wire, in labels and in formulas. */
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
  profit: {
    unit: 'money',
    sum: { plus: ['income'], minus: SPEND },
    madeOf: ['income', 's'],
    hiddenFrom: ['PARTNER'],
  },
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
/** The declaration of a metric. */
export const metricOf = (name: MetricName): Metric => METRICS[name]
/** The columns of the general report. */
export const METRIC_NAMES = (Object.keys(METRICS) as MetricName[]).filter((name) => metricOf(name).isElsewhere !== true)

/** Metrics that show whether they rose or fell since the comparison period. */
export type ArrowMetric = { [M in MetricName]: (typeof METRICS)[M] extends { arrow: true } ? M : never }[MetricName]
/** Metrics whose change against the second period is shown as an arrow. */
export const ARROW_METRICS = METRIC_NAMES.filter((name): name is ArrowMetric => metricOf(name).arrow === true)

/** True for a metric that is unknown while income is. */
export const restsOnIncome = (name: MetricName): boolean => {
  const { sum, over } = metricOf(name)
  return [sum, over].some((part) => [...(part?.plus ?? []), ...(part?.minus ?? [])].includes('income'))
}

/** True for the name of a metric, without the suffix of a second period. */
export const isMetric = (text: string): text is MetricName => Object.hasOwn(METRICS, text)

/** Splits a key into its metric and whether it belongs to the comparison period. Throws Error for any other key. */
export function splitKey(key: MetricName | `${MetricName}_2`): { metric: MetricName; isSecond: boolean } {
  if (isMetric(key)) return { metric: key, isSecond: false }
  const metric = key.slice(0, -2)
  if (!isMetric(metric)) throw new Error(`${key} is not a metric`)
  return { metric, isSecond: true }
}

/** True if a dimension, metric or filter is not hidden from the role. */
export const isVisibleTo = (what: { readonly hiddenFrom?: readonly RoleKind[] }, role: RoleKind): boolean =>
  what.hiddenFrom?.includes(role) !== true

/** True if the role may see a column or sort by it; keys that are not metrics are visible. */
export function isKeyVisibleTo(key: string, role: RoleKind): boolean {
  const name = key.replace(/_2$/, '')
  return !isMetric(name) || isVisibleTo(metricOf(name), role)
}

/** The levels that the role may see; `offer` if none remains, because a report needs a level. */
export function visibleLevels(levels: readonly DimensionName[], role: RoleKind): readonly DimensionName[] {
  const seen = levels.filter((name) => isVisibleTo(dimensionOf(name), role))
  return seen.length > 0 ? seen : ['offer']
}
