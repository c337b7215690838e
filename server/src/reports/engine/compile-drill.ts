// The facts behind a number of the general report (drill-down): which of them, and what each adds to the number.

import type { RowKind } from '@tributary/contract/reports/general'
import { type MetricName, metricOf, type PartName, type SourceName } from '@tributary/contract/reports/traffic'
import { EMPTY } from '../model/column.ts'
import { kindOf, sourceOf } from '../model/part.ts'
import { factsSql, finish, passingSql } from './compile.ts'
import { whereSql } from './compile-source.ts'
import { columnSql } from './condition.ts'
import { fromSql } from './fact-source.ts'
import { pageSql } from './order.ts'
import { Params, type Statement } from './params.ts'
import { givesPart, type Plan } from './plan.ts'
import type { Question, Selection } from './query.ts'
import { groupTuple, trafficGroups } from './traffic-groups.ts'
import type { SpendKey } from './unallocated-spend.ts'

/** How the facts of a part are told, and what one of them adds. */
const TRACES = {
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
} as const satisfies Record<PartName, { kind: RowKind; value: string; isOncePerPlayer?: true }>

/** The metric whose facts are shown: a ratio opens its numerator. */
export function tracedMetric(metric: MetricName): MetricName {
  const [first] = metricOf(metric).madeOf ?? []
  return (first as MetricName | undefined) ?? metric
}

/** What a metric opens. */
export function kindOfRows(metric: MetricName): RowKind {
  const [part = 'clicks'] = metricOf(metric).sum.plus
  return TRACES[part].kind
}

/** Columns of every traced row, in this order; what a source does not know is empty. */
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
] as const

const SHARED: Readonly<Record<string, string>> = {
  day: 'day',
  partner: 'partner_id',
  offer: 'offer_id',
  stream: 'stream_id',
  traffic_source: 'traffic_source_id',
  country: 'country_id',
  site: 'toString(site_id)',
  sub: 'sub_id',
}
const EMPTY_ROW: Readonly<Record<string, string>> = {
  at: "toDateTime64(0, 3, 'UTC')",
  promocode: EMPTY.String,
  player: EMPTY.UInt32,
  outer_id: EMPTY.String,
  click: EMPTY.UUID,
  registered_day: EMPTY.Date,
  first_deposit_day: EMPTY.Date,
  qualification: EMPTY.String,
  ip_country: EMPTY.String,
  is_unique: 'toUInt8(0)',
  user_agent: EMPTY.String,
}
const OWN: Readonly<Record<SourceName, Readonly<Record<string, string>>>> = {
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
/** Which entered spends are meant: those that a group carries, those that none carries, or all. */
export type SpendPlace =
  | { readonly which: 'all' }
  | { readonly which: 'placed' }
  | { readonly which: 'lost'; readonly keys: readonly SpendKey[] }

export interface Trace {
  readonly metric: MetricName
  /** Narrowed to the cell, and to the one period that it is of. */
  readonly selection: Selection
  /** The whole report: in any of its periods traffic makes the group that carries a spend. */
  readonly report: Selection
  readonly plan: Plan
  /** Each of these adds its entered spends; player spend is taken unless only lost spends are meant. */
  readonly spends: SpendPlace
  /** Only facts of the rows that meet this question's conditions on numbers: the total of a flat report. */
  readonly passing?: Question
  /** The facts of one source alone. */
  readonly source?: SourceName
  /** What else must hold of a fact, over the columns of its source. */
  readonly where?: (params: Params) => string
}

export interface TraceStatements {
  readonly rows: Statement
  /** One row: how many, and the sum of their values. */
  readonly total: Statement
}

/** Null when no fact can be meant. */
export function compileRows(traces: readonly Trace[], page: { page: number; limit: number }): TraceStatements | null {
  const params = new Params()
  const selects = traces.flatMap((trace) => traceSelects(trace, params))
  const [first] = traces
  if (selects.length === 0 || first === undefined) return null
  const union = `(\n${selects.join('\nunion all\n')}\n)`
  const total = finish(`select count(), sum(value) from ${union}`, params, first.selection)
  const paged = new Params(params)
  const rows = finish(
    `select ${ROW_COLUMNS.join(', ')} from ${union}\norder by day desc, at desc, fact desc${pageSql(page, paged)}`,
    paged,
    first.selection,
  )
  return { rows, total }
}

function traceSelects(trace: Trace, params: Params): string[] {
  const { sum } = metricOf(trace.metric)
  return sum.plus.flatMap((part) => {
    const source = sourceOf(part)
    if (trace.source !== undefined && trace.source !== source) return []
    if (!trace.plan.sources.includes(source) || !givesPart(source, part, trace.selection)) return []
    if (source !== 'spend' && trace.spends.which === 'lost') return []
    const sql = traceSelect(part, source, trace, params)
    return sql === null ? [] : [sql]
  })
}

function traceSelect(part: PartName, source: SourceName, trace: Trace, params: Params): string | null {
  const where = whereSql(source, trace.selection, params)
  if (where === null) return null
  if (trace.where !== undefined) where.push(trace.where(params))
  const columns = { ...EMPTY_ROW, ...SHARED, ...OWN[source], value: valueSql(part) } as Readonly<Record<string, string>>
  const select = ROW_COLUMNS.map((column) => `${columns[column]} as ${column === 'day' ? 'day' : `r_${column}`}`)
  const places = ROW_COLUMNS.map((column) => (column === 'day' ? 'day' : `r_${column} as ${column}`))
  const keys =
    source === 'spend' || trace.passing
      ? trace.plan.columns.map((column) => `${columnSql(column, source)} as c_${column}`)
      : []
  const inner = `select ${[...select, ...keys].join(', ')} from ${fromSql(source, trace.selection, params)} where ${where.join(' and ')} and r_value != 0`
  if ('isOncePerPlayer' in TRACES[part])
    return `select ${places.join(', ')} from (${inner} order by day desc limit 1 by r_player)`
  if (trace.passing) {
    const passing = passingSql(trace.passing, trace.plan, params)
    if (passing === null || (source === 'spend' && !trace.plan.isSpendPlaceable)) return null
    return `select ${places.join(', ')} from ${factsSql(inner, trace.plan)} where ${groupTuple(trace.report)} in ${passing.groups}`
  }
  if (source !== 'spend' || trace.spends.which === 'all') return `select ${places.join(', ')} from (${inner})`
  const place = placeSql(trace, params)
  return place === null ? null : `select ${places.join(', ')} from ${factsSql(inner, trace.plan)} where ${place}`
}

/** As Int64, money in ten-thousandths: of one fact those may be more than its own decimal holds. */
const valueSql = (part: PartName): string =>
  kindOf(part) === 'money'
    ? `toInt64(toDecimal128(${TRACES[part].value}, 4) * 10000)`
    : `toInt64(${TRACES[part].value})`

/** Whether a spend's group has traffic; null when none of those meant can exist. */
function placeSql({ report, plan, spends }: Trace, params: Params): string | null {
  const known = trafficGroups(report, plan, params)
  if (spends.which !== 'lost') return known === null ? null : `${known.group} in ${known.groups}`
  const keys = spends.keys.map(
    (key) => `(${key.map((value, index) => params.bind(index === 3 ? 'Date' : 'UInt32', value)).join(', ')})`,
  )
  if (keys.length === 0) return null
  const chosen = `(r_country, r_partner, r_stream, day) in (${keys.join(', ')})`
  return known === null ? chosen : `${chosen} and ${known.group} not in ${known.groups}`
}
