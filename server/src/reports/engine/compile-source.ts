// Each source as one aggregated sub-select of the needed columns, scope inside; and their union.
import {
  type ComponentName,
  type DateDimension,
  isDateDimension,
  type SourceName,
} from '@tributary/contract/reports/traffic'
import { START_OF } from '../model/column.ts'
import {
  ACTIVITY_SQL,
  componentSql,
  firstRowSql,
  firstSummedSql,
  kindOf,
  rowsSql,
  SOURCE_SQL,
  SUMS_SQL,
  summedRowsSql,
} from '../model/component.ts'
import { knownParam } from '../model/known.ts'
import { columnSql, conditionSql, EVERYTHING, NOTHING } from './condition.ts'
import { fromSql } from './fact-source.ts'
import { coversAll, readTogether } from './month-sums.ts'
import { type Params, periodEnds } from './params.ts'
import { givesComponent, type Plan } from './plan.ts'
import type { Selection } from './query.ts'

/**
 * Columns: c_<column>…, in1, in2 (with a second period: whether the fact lies in it), n (as of `carriedNames`; what is missing at its end is
 * zero), n_entered_spend, n_traffic, n_rate_missing. Numbers are Int64, money in ten-thousandths. Distinct components have one number per
 * stretch of days in which they are counted, and per period. Null when no fact can match.
 */
export function compileUnion(selection: Selection, plan: Plan, params: Params): string | null {
  const summed = plan.sources.filter((source) => selection.sums[source].length > 0)
  const readings = [
    ...plan.sources.map((source) => readFacts(source, selection, params)),
    ...readTogether(summed, selection, plan).map((sources) => readSums(sources, selection, params)),
  ]
  const selects = readings
    .filter((reading) => reading !== null)
    .map((reading) => compileReading(reading, selection, plan, params))
  return selects.length === 0 ? null : selects.join('\nunion all\n')
}

/** What one sub-select reads: the facts of a source, or the month sums of several. */
interface Reading {
  readonly sources: readonly SourceName[]
  /** One of them, for expressions that are the same in all. */
  readonly source: SourceName
  readonly from: string
  readonly where: readonly string[]
  /** SQL: above zero where there is traffic. */
  readonly traffic: string
  readonly firstRow: (component: 'bettors' | 'players', start: string) => string
}

/** Null when no fact can match, or month sums cover all days. */
function readFacts(source: SourceName, selection: Selection, params: Params): Reading | null {
  const where = coversAll(selection, source) ? null : whereSql(source, selection, params)
  if (where === null) return null
  const summed = selection.sums[source].map(({ month }) => Number(month))
  const rest = summed.length === 0 ? [] : [`toYYYYMM(day) not in ${params.bind('Array(UInt32)', summed)}`]
  return {
    sources: [source],
    source,
    from: fromSql(source, selection, params),
    where: [...where, ...rest],
    traffic: rowsSql(source, selection.rowsBy) ?? '0',
    firstRow: firstRowSql,
  }
}

function readSums(sources: readonly SourceName[], selection: Selection, params: Params): Reading | null {
  const [source] = sources
  const conditions = source === undefined ? null : conditionsSql(source, selection, params)
  if (source === undefined || conditions === null) return null
  const sums = sources.flatMap((one) => selection.sums[one])
  const runs = params.bind(
    'Array(UInt64)',
    sums.map(({ run }) => run),
  )
  const months = params.bind('Array(Date)', [
    ...new Set(sums.map(({ month }) => `${month.slice(0, 4)}-${month.slice(4)}-01`)),
  ])
  return {
    sources,
    source,
    from: SUMS_SQL.from,
    // Months find the rows; runs say which of them are valid, and of which sources.
    where: [`day in ${months}`, `run in ${runs}`, ...scopeSql(selection, params), ...conditions],
    traffic: summedRowsSql(sources, selection.rowsBy),
    firstRow: firstSummedSql,
  }
}

function compileReading(reading: Reading, selection: Selection, plan: Plan, params: Params): string {
  const { sources, source, from, where, traffic } = reading
  const flags = selection.second === null ? [] : periodFlags(source, selection, params)
  const groups = [...plan.columns.map((column) => `c_${column}`), ...(flags.length > 0 ? ['in1', 'in2'] : [])]
  const counted = countedNumbers(reading, selection, plan, params)
  const isSpent = sources.some((one) => givesComponent(one, 'entered_spend', selection))
  const columns = [
    ...plan.columns.map((column) => `${columnSql(column, source)} as c_${column}`),
    ...flags,
    `${arraySql(counted)} as n`,
    ...(plan.components.includes('entered_spend')
      ? [`${isSpent ? wholeSql('entered_spend') : 'toInt64(0)'} as n_entered_spend`]
      : []),
    `toInt64(${traffic}) as n_traffic`,
    `${SOURCE_SQL[sources.find((one) => one !== 'click') ?? source].rateMissing} as n_rate_missing`,
  ]
  return `select ${columns.join(', ')}
from ${from}
where ${where.join('\n  and ')}${groups.length > 0 ? `\ngroup by ${groups.join(', ')}` : ''}`
}

const wholeSql = (component: ComponentName): string =>
  `toInt64(${componentSql(component)}${kindOf(component) === 'money' ? ' * 10000' : ''})`

/** Without the zeros at its end. */
function arraySql(counted: readonly (string | null)[]): string {
  const given = counted.slice(0, counted.findLastIndex((sql) => sql !== null) + 1)
  return given.length === 0 ? 'emptyArrayInt64()' : `[${given.map((sql) => sql ?? '0').join(', ')}]`
}

/** In the order of `carriedNames`; null where the sources do not have the component. */
function countedNumbers(
  { sources, firstRow }: Reading,
  selection: Selection,
  plan: Plan,
  params: Params,
): (string | null)[] {
  const counted = plan.components.flatMap((component): (string | null)[] => {
    if (component === 'entered_spend') return []
    const isGiven = sources.some((source) => givesComponent(source, component, selection))
    if (kindOf(component) !== 'distinct') return [isGiven ? wholeSql(component) : null]
    return stretchColumns(component, selection).map(({ period, dates }) =>
      isGiven ? `toInt64(${firstRow('bettors', stretchStart(period, dates, selection, params))})` : null,
    )
  })
  const start = stretchStart(1, [], selection, params)
  return [...counted, sources.includes('activity') ? `toInt64(${firstRow('players', start)})` : null]
}

interface Stretch {
  readonly name: string
  readonly period: 1 | 2
  readonly dates: readonly DateDimension[]
}

/** The levels down to a depth that are dates: they cut the period into stretches in which a player counts once. */
export const datesAt = (selection: Selection, depth: number): DateDimension[] =>
  selection.levels.slice(0, depth).filter(isDateDimension)

/** One number for each way in which the levels cut the periods. */
export function stretchColumns(component: ComponentName, selection: Selection): Stretch[] {
  const count = datesAt(selection, selection.levels.length).length
  const periods: readonly (1 | 2)[] = selection.second === null ? [1] : [1, 2]
  return periods.flatMap((period) =>
    Array.from({ length: count + 1 }, (_, cuts) => ({
      name: stretchName(component, cuts, period === 1 ? '' : '_2'),
      period,
      dates: datesAt(selection, selection.levels.length).slice(0, cuts),
    })),
  )
}

export const stretchName = (component: ComponentName, cuts: number, suffix: '' | '_2'): string =>
  `${component}_by${cuts}${suffix}`

function stretchStart(period: 1 | 2, dates: readonly DateDimension[], selection: Selection, params: Params): string {
  const from = params.named(
    `from${period}`,
    'Date',
    (period === 1 ? selection.first : (selection.second ?? selection.first)).from,
  )
  return dates.length === 0 ? from : `greatest(${[from, ...dates.map((date) => START_OF[date]('day'))].join(', ')})`
}

/** The conditions on facts of a source. Null when no fact can match. */
export function whereSql(source: SourceName, selection: Selection, params: Params): string[] | null {
  const where: string[] = [...SOURCE_SQL[source].where, ...scopeSql(selection, params)]
  if (source === 'click' && selection.knownAt !== null)
    where.push(`created_at <= ${knownParam(selection.knownAt, params)}`)
  const periods = periodsSql(source, selection, params)
  where.push(periods.length === 1 ? (periods[0] ?? NOTHING) : `(${periods.join(' or ')})`)
  const conditions = conditionsSql(source, selection, params)
  if (conditions === null) return null
  where.push(...conditions)
  if (source === 'activity') {
    const { where: only } = ACTIVITY_SQL[selection.activity]
    if (only !== null) where.push(only)
    if (selection.baseline !== 'all')
      where.push(`qualification ${selection.baseline === 'qualified' ? '=' : '!='} 'qualified'`)
  }
  return where
}

const scopeSql = ({ partners }: Selection, params: Params): string[] =>
  partners === null ? [] : [`partner_id in ${params.named('scope', 'Array(UInt32)', partners)}`]

/** Null when no fact can match. */
function conditionsSql(source: SourceName, selection: Selection, params: Params): string[] | null {
  const where = selection.conditions.map((condition) => conditionSql(condition, source, params))
  return where.includes(NOTHING) ? null : where.filter((sql) => sql !== EVERYTHING)
}

/** For each period: whether the day, and the day by which the activity chooses players, lie in it. */
function periodsSql(source: SourceName, selection: Selection, params: Params): string[] {
  const activity = ACTIVITY_SQL[selection.activity]
  return periodEnds(selection, params).map((ends) => {
    const chooses =
      source === 'activity' && 'dayInPeriod' in activity ? ` and ${activity.dayInPeriod} between ${ends}` : ''
    return chooses === '' ? `day between ${ends}` : `(day between ${ends}${chooses})`
  })
}

export const periodFlags = (source: SourceName, selection: Selection, params: Params): string[] =>
  periodsSql(source, selection, params).map((sql, index) => `(${sql}) as in${index + 1}`)
