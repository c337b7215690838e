// Compiles a drill-down: the facts behind a number, and the value that each adds to it.

import type { RowKind } from '@tributary/contract/reports/general'
import { type ComponentName, type MetricName, metricOf, type SourceName } from '@tributary/contract/reports/traffic'
import { EMPTY_SQL } from '../model/column.ts'
import { kindOf, sourceOf } from '../model/component.ts'
import { factsSql } from './compile-groups.ts'
import { whereSql } from './compile-source.ts'
import { passesFiltersSql } from './compile-totals.ts'
import { columnSql } from './condition.ts'
import { fromSql } from './fact-source.ts'
import { limitSql } from './order.ts'
import { Params, type Statement, toStatement } from './params.ts'
import { givesComponent, type Plan, placelessColumns } from './plan.ts'
import type { PageRequest, ReportQuery, Selection } from './query.ts'
import { isUnallocatedSql, type SpendKey } from './unallocated-spend.ts'

/** For each component, the kind of facts that a drill-down shows, and the SQL of the value that one fact adds. */
const FACTS = {
  clicks: { kind: 'clicks', value: 'is_click' },
  unique_clicks: { kind: 'clicks', value: 'is_unique' },
  registrations: { kind: 'players', value: 'registrations' },
  new_deposits: { kind: 'players', value: 'first_deposits' },
  deposits_count: { kind: 'player_days', value: 'deposits_count' },
  deposits_amount: { kind: 'player_days', value: 'deposits' },
  first_day_amount: { kind: 'player_days', value: 'first_day_amount' },
  first_amount: { kind: 'players', value: 'first_amount' },
  bets: { kind: 'player_days', value: 'bets' },
  bettors: { kind: 'players', value: 'bets > 0', isOncePerPlayer: true },
  income: { kind: 'player_days', value: 'income' },
  player_spend: { kind: 'spends', value: 'cpa_spend + rs_spend' },
  entered_spend: { kind: 'spends', value: 'sum' },
  qualified_players: { kind: 'players', value: 'qualified_players' },
  cohort_players: { kind: 'players', value: 'registrations' },
  depositors: { kind: 'players', value: 'deposits_count > 0', isOncePerPlayer: true },
} as const satisfies Record<ComponentName, { kind: RowKind; value: string; isOncePerPlayer?: true }>

/** The metric whose facts a drill-down shows: for a ratio its numerator, for a difference its minuend. */
export function drilledMetric(metric: MetricName): MetricName {
  const [first] = metricOf(metric).madeOf ?? []
  return (first as MetricName | undefined) ?? metric
}

/** The kind of facts that a drill-down of the metric shows. */
export function drillRowKind(metric: MetricName): RowKind {
  const [component = 'clicks'] = metricOf(metric).sum.plus
  return FACTS[component].kind
}

/** The columns of every row, in this order. A column that the source lacks has the empty value. */
export const ROW_COLUMNS = [
  'day',
  'value',
  'fact',
  'at',
  'partner',
  'offer',
  'stream',
  'traffic_source',
  'country',
  'site',
  'sub',
  'promocode',
  'player',
  'outer_id',
  'click',
  'registered_day',
  'first_deposit_day',
  'qualification',
  'ip_country',
  'is_unique',
  'user_agent',
  'terms',
] as const

const SHARED_SQL: Readonly<Record<string, string>> = {
  day: 'day',
  partner: 'partner_id',
  offer: 'offer_id',
  stream: 'stream_id',
  traffic_source: 'traffic_source_id',
  country: 'country_id',
  site: 'toString(site_id)',
  sub: 'sub_id',
}
const NO_VALUE_SQL: Readonly<Record<string, string>> = {
  at: "toDateTime64(0, 3, 'UTC')",
  promocode: EMPTY_SQL.String,
  player: EMPTY_SQL.UInt32,
  outer_id: EMPTY_SQL.String,
  click: EMPTY_SQL.UUID,
  registered_day: EMPTY_SQL.Date,
  first_deposit_day: EMPTY_SQL.Date,
  qualification: EMPTY_SQL.String,
  ip_country: EMPTY_SQL.String,
  is_unique: 'toUInt8(0)',
  user_agent: EMPTY_SQL.String,
  terms: EMPTY_SQL.String,
}
/** The terms behind a fact's spend: kind, price or percentage, currency, what the percentage is taken of, and the amount in the report currency. */
const TERMS_SQL: Readonly<Record<SourceName, string>> = {
  click: '[]',
  activity: `arrayFilter(term -> term.5 != 0, [
('cpa', cpa_original, cpa_currency_id, cpa_original, cpa_spend), ('rs', rs_rate, income_currency_id, income_original, rs_spend)])`,
  spend: "[('agency', agency_rate, currency_id, base_original, sum)]",
}
const DRILL_SOURCE_SQL: Readonly<Record<SourceName, Readonly<Record<string, string>>>> = {
  click: {
    fact: 'toString(id)',
    at: 'created_at',
    promocode: 'toString(promocode)',
    ip_country: 'toString(ip_country)',
    is_unique: 'is_unique',
    user_agent: 'user_agent',
  },
  activity: {
    fact: 'toString(player_id)',
    promocode: 'toString(promocode)',
    player: 'player_id',
    outer_id: 'outer_id',
    click: 'click_id',
    registered_day: 'registered_day',
    first_deposit_day: 'first_deposit_day',
    qualification: 'toString(qualification)',
  },
  spend: { fact: 'toString(spend_id)' },
}

/** The entered spend to show: all, the spend that groups carry, or unallocated spend of these keys. */
export type SpendChoice =
  | { readonly which: 'all' }
  | { readonly which: 'allocated' }
  | { readonly which: 'unallocated'; readonly keys: readonly SpendKey[] }

/** Selects some of the facts behind a number. A number may need several of them. */
export interface Drill {
  readonly metric: MetricName
  /** The facts of the cell, in its single period. */
  readonly selection: Selection
  /** The facts of the whole report: a group with traffic in any of its periods carries spend. */
  readonly report: Selection
  readonly plan: Plan
  /** Unless it is 'unallocated', spend of players is shown as well. */
  readonly spend: SpendChoice
  /** If present, only facts in rows that pass the metric filters of this query. */
  readonly filteredBy?: ReportQuery
  /** If present, only facts of this source. */
  readonly source?: SourceName
  /** SQL of a further condition over the columns of the source. */
  readonly where?: (params: Params) => string
}

/** The statements of a drill-down. */
export interface DrillStatements {
  /** Rows of ROW_COLUMNS, the newest first. */
  readonly rows: Statement
  /** One row: the number of facts and the sum of their values. */
  readonly total: Statement
  /** The largest terms behind a spend, and the number of all terms. Null: the facts are no spends. */
  readonly terms: Statement | null
}

const MOST_TERMS = 12

/** Null when no fact can match. */
export function compileDrill(drills: readonly Drill[], page: PageRequest): DrillStatements | null {
  const params = new Params()
  const selects = drills.flatMap((drill) => drillSelects(drill, params))
  const [first] = drills
  if (selects.length === 0 || first === undefined) return null
  const union = `(\n${selects.join('\nunion all\n')}\n)`
  const total = toStatement(`select count(), sum(value) from ${union}`, params, first.selection)
  const paged = new Params(params)
  const rows = toStatement(
    `select ${ROW_COLUMNS.join(', ')} from ${union}\norder by day desc, at desc, fact desc${limitSql(page, paged)}`,
    paged,
    first.selection,
  )
  const terms = drillRowKind(first.metric) === 'spends' ? toStatement(termsSql(union), params, first.selection) : null
  return { rows, total, terms }
}

const termsSql = (union: string): string =>
  `select term.1 as kind, term.2 as rate, term.3 as currency, sum(term.4) as base, sum(term.5) as amount, count() as quantity, count() over () as all_terms
from ${union} array join terms as term
group by kind, rate, currency
order by abs(amount) desc, kind, rate, currency
limit ${MOST_TERMS}`

function drillSelects(drill: Drill, params: Params): string[] {
  return metricOf(drill.metric).sum.plus.flatMap((component) => {
    const source = sourceOf(component)
    if (drill.source !== undefined && drill.source !== source) return []
    if (!drill.plan.sources.includes(source) || !givesComponent(source, component, drill.selection)) return []
    if (source !== 'spend' && drill.spend.which === 'unallocated') return []
    return drillSelect(component, source, drill, params) ?? []
  })
}

function drillSelect(component: ComponentName, source: SourceName, drill: Drill, params: Params): string | null {
  const { selection, plan, filteredBy } = drill
  const where = whereSql(source, selection, params)
  if (where === null) return null
  if (drill.where !== undefined) where.push(drill.where(params))
  const values = {
    ...NO_VALUE_SQL,
    ...SHARED_SQL,
    ...DRILL_SOURCE_SQL[source],
    value: valueSql(component),
    ...(FACTS[component].kind === 'spends' && { terms: TERMS_SQL[source] }),
  } as Readonly<Record<string, string>>
  const select = ROW_COLUMNS.map((column) => `${values[column]} as ${column === 'day' ? 'day' : `r_${column}`}`)
  const columns = ROW_COLUMNS.map((column) => (column === 'day' ? 'day' : `r_${column} as ${column}`)).join(', ')
  const isGrouped = source === 'spend' || filteredBy !== undefined
  const needed = source === 'spend' ? placelessColumns(drill.report, plan) : []
  const groups = isGrouped
    ? [...new Set([...plan.columns, ...needed])].map((column) => `${columnSql(column, source)} as c_${column}`)
    : []
  const facts = `select ${[...select, ...groups].join(', ')} from ${fromSql(source, selection, params)} where ${where.join(' and ')} and r_value != 0`
  if ('isOncePerPlayer' in FACTS[component])
    return `select ${columns} from (${facts} order by day desc limit 1 by r_player)`
  const chosen = groupConditions(source, drill, params)
  if (chosen === null) return null
  if (chosen.length === 0) return `select ${columns} from (${facts})`
  return `select ${columns} from ${factsSql(facts, plan)} where ${chosen.join(' and ')}`
}

/** The value as Int64, money in ten-thousandths, because the sum of all facts may not fit the decimal type of a single one. */
const valueSql = (component: ComponentName): string =>
  kindOf(component) === 'money'
    ? `toInt64(toDecimal128(${FACTS[component].value}, 4) * 10000)`
    : `toInt64(${FACTS[component].value})`

/** SQL conditions on the group of a fact; null when no fact can match. */
function groupConditions(source: SourceName, drill: Drill, params: Params): string[] | null {
  const { filteredBy, plan, spend } = drill
  const passes = filteredBy === undefined ? [] : [passesFiltersSql(filteredBy, plan, params)]
  const places = source === 'spend' && spend.which !== 'all' ? [spendPlaceSql(drill, params)] : []
  const conditions = [...passes, ...places]
  return conditions.every((sql) => sql !== null) ? conditions : null
}

/** SQL that selects allocated or unallocated spend; null if there can be no such spend. */
function spendPlaceSql({ report, plan, spend }: Drill, params: Params): string | null {
  const isUnallocated = isUnallocatedSql(report, plan, params)
  if (spend.which !== 'unallocated') return isUnallocated === null ? null : `not (${isUnallocated})`
  const keys = spend.keys.map(({ country, partner, stream, day }) => {
    const ids = [country, partner, stream].map((id) => params.bind('UInt32', id))
    return `(${[...ids, params.bind('Date', day)].join(', ')})`
  })
  if (keys.length === 0) return null
  const chosen = `(r_country, r_partner, r_stream, day) in (${keys.join(', ')})`
  return isUnallocated === null ? chosen : `${chosen} and ${isUnallocated}`
}
