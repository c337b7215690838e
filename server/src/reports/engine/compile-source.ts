// Compiles each source to one aggregated sub-select of the needed columns, with the viewer's scope inside, and unites them.
import {
  type ComponentName,
  type DateDimension,
  isDateDimension,
  type SourceName,
} from '@tributary/contract/reports/traffic'
import { SLICE_START_SQL } from '../model/column.ts'
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
import { knownAtParam } from '../model/known.ts'
import { INCOME_COUNTS, type IncomeCount } from './components.ts'
import { columnSql, conditionSql, EVERYTHING, NOTHING } from './condition.ts'
import { deletedDaysSql, unsummedClicksSql } from './deleted-clicks.ts'
import { fromSql } from './fact-source.ts'
import { isReportedSql, summedIncomeDaysSql } from './income-days.ts'
import { coversAll, groupBySameColumns } from './month-sums.ts'
import { type Params, periodEnds } from './params.ts'
import { countsIncomeDays, givesComponent, type Plan, placelessSpendSql } from './plan.ts'
import type { Selection } from './query.ts'

/**
 * Columns: c_<column>…; in1 and in2 (with a second period: whether the fact lies in each); n (an array in the order of `leafNames`, without
 * zeros at its end); n_entered_spend, n_placeless_spend (the part of it that no group carries), n_reported_facts,
 * n_unreported_facts, n_traffic, n_rate_missing. Numbers are Int64, money in ten-thousandths. Null when no fact can match.
 */
export function compileUnion(selection: Selection, plan: Plan, params: Params): string | null {
  const summed = plan.sources.filter((source) => selection.sums[source].length > 0)
  const readings = [
    ...plan.sources.map((source) => readFacts(source, selection, plan, params)),
    plan.sources.includes('click') ? readDeletedDays(selection, plan, params) : null,
    ...groupBySameColumns(summed, selection, plan).map((sources) => readSums(sources, selection, plan, params)),
  ]
  const selects = readings
    .filter((reading) => reading !== null)
    .map((reading) => compileReading(reading, selection, plan, params))
  return selects.length === 0 ? null : selects.join('\nunion all\n')
}

/** The input of one sub-select: the facts of one source, or the month sums of several. */
interface Reading {
  readonly sources: readonly SourceName[]
  /** One of `sources`, for expressions that are equal in all of them. */
  readonly source: SourceName
  readonly from: string
  readonly where: readonly string[]
  /** SQL that is above zero for groups with traffic. */
  readonly traffic: string
  readonly firstRow: (component: 'bettors' | 'players', start: string) => string
  readonly incomeDays: IncomeDays | null
}

/** SQL that counts facts by whether the income of their day is reported. `key` is a column to group by, if the counts need one. */
interface IncomeDays {
  readonly key: string | null
  readonly counts: Readonly<Record<IncomeCount, string>>
}

/** Null when no fact can match, or when month sums cover all days. */
function readFacts(source: SourceName, selection: Selection, plan: Plan, params: Params): Reading | null {
  const where = coversAll(selection, source) ? null : whereSql(source, selection, params)
  if (where === null) return null
  const summed = selection.sums[source].map(({ month }) => Number(month))
  const rest = [
    ...(summed.length === 0 ? [] : [`toYYYYMM(day) not in ${params.bind('Array(UInt32)', summed)}`]),
    ...(source === 'click' ? unsummedClicksSql(selection, params) : []),
  ]
  return {
    sources: [source],
    source,
    from: fromSql(source, selection, params),
    where: [...where, ...rest],
    traffic: rowsSql(source, selection.rowsBy) ?? '0',
    firstRow: firstRowSql,
    incomeDays: countsIncomeDays(source, plan, selection) ? factsByReport(source, selection, params) : null,
  }
}

/** Sums by day of clicks that are deleted. Null when there are none, or when month sums cover all days. */
function readDeletedDays(selection: Selection, plan: Plan, params: Params): Reading | null {
  const days = coversAll(selection, 'click') ? null : deletedDaysSql(selection, plan, params)
  const where = days === null ? null : whereSql('click', { ...selection, knownAt: null }, params)
  if (days === null || where === null) return null
  return {
    sources: ['click'],
    source: 'click',
    from: 'click_day',
    where: [...where, ...days],
    traffic: rowsSql('click', selection.rowsBy) ?? '0',
    firstRow: firstRowSql,
    incomeDays: countsIncomeDays('click', plan, selection) ? factsByReport('click', selection, params) : null,
  }
}

/** The state of the day is a key and not a condition of the counts, so that ClickHouse can read clicks from its projection. */
function factsByReport(source: SourceName, selection: Selection, params: Params): IncomeDays {
  const isReported = isReportedSql(source, selection, params)
  const facts = source === 'click' ? 'sum(is_click)' : 'count()'
  return {
    key: isReported,
    counts: { reported_facts: `if(${isReported}, ${facts}, 0)`, unreported_facts: `if(${isReported}, 0, ${facts})` },
  }
}

function readSums(sources: readonly SourceName[], selection: Selection, plan: Plan, params: Params): Reading | null {
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
    // The index finds rows by month; the runs select the valid rows and the sources.
    where: [`day in ${months}`, `run in ${runs}`, ...scopeSql(selection, params), ...conditions],
    traffic: summedRowsSql(sources, selection.rowsBy),
    firstRow: firstSummedSql,
    incomeDays: sources.some((one) => countsIncomeDays(one, plan, selection))
      ? { key: null, counts: summedIncomeDaysSql(selection, params) }
      : null,
  }
}

function compileReading(reading: Reading, selection: Selection, plan: Plan, params: Params): string {
  const { sources, source, from, where, traffic, incomeDays } = reading
  const flags = selection.second === null ? [] : periodFlags(source, selection, params)
  const groups = [
    ...plan.columns.map((column) => `c_${column}`),
    ...(flags.length > 0 ? ['in1', 'in2'] : []),
    ...(incomeDays?.key == null ? [] : [incomeDays.key]),
  ]
  const counted = countedNumbers(reading, selection, plan, params)
  const isSpent = sources.some((one) => givesComponent(one, 'entered_spend', selection))
  const placeless = placelessSpendSql(selection, plan, (column) => columnSql(column, 'spend'))
  const columns = [
    ...plan.columns.map((column) => `${columnSql(column, source)} as c_${column}`),
    ...flags,
    `${arraySql(counted)} as n`,
    ...(plan.components.includes('entered_spend')
      ? [
          `${isSpent ? wholeSql('entered_spend') : 'toInt64(0)'} as n_entered_spend`,
          ...(placeless === null
            ? []
            : [`${isSpent ? `toInt64(sumIf(sum, ${placeless}) * 10000)` : 'toInt64(0)'} as n_placeless_spend`]),
        ]
      : []),
    ...incomeCounts(plan).map((name) => `toInt64(${incomeDays?.counts[name] ?? '0'}) as n_${name}`),
    `toInt64(${traffic}) as n_traffic`,
    `${SOURCE_SQL[sources.find((one) => one !== 'click') ?? source].rateMissing} as n_rate_missing`,
  ]
  return `select ${columns.join(', ')}
from ${from}
where ${where.join('\n  and ')}${groups.length > 0 ? `\ngroup by ${groups.join(', ')}` : ''}`
}

const incomeCounts = ({ components }: Plan): readonly IncomeCount[] =>
  components.includes('income') ? INCOME_COUNTS : []

const wholeSql = (component: ComponentName): string =>
  `toInt64(${componentSql(component)}${kindOf(component) === 'money' ? ' * 10000' : ''})`

/** The array without missing numbers at its end. */
function arraySql(counted: readonly (string | null)[]): string {
  const given = counted.slice(0, counted.findLastIndex((sql) => sql !== null) + 1)
  return given.length === 0 ? 'emptyArrayInt64()' : `[${given.map((sql) => sql ?? '0').join(', ')}]`
}

/** SQL of the numbers in the order of `leafNames`; null if the sources lack the component. */
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
    return sliceColumns(component, selection).map(({ period, dates }) =>
      isGiven ? `toInt64(${firstRow('bettors', sliceStart(period, dates, selection, params))})` : null,
    )
  })
  const start = sliceStart(1, [], selection, params)
  return [...counted, sources.includes('activity') ? `toInt64(${firstRow('players', start)})` : null]
}

/** A number of a distinct component: players that count once in each slice of a period. */
interface SliceColumn {
  readonly name: string
  readonly period: 1 | 2
  /** The date levels that cut the period; none, if a player counts once in the whole period. */
  readonly dates: readonly DateDimension[]
}

/** The date levels down to a depth. They cut the period into slices (its days, weeks or months), in each of which a player counts once. */
export const dateLevels = (selection: Selection, depth: number): DateDimension[] =>
  selection.levels.slice(0, depth).filter(isDateDimension)

/** The numbers of a distinct component: for each period, one without date levels, one with the outermost, and so on. */
export function sliceColumns(component: ComponentName, selection: Selection): SliceColumn[] {
  const count = dateLevels(selection, selection.levels.length).length
  const periods: readonly (1 | 2)[] = selection.second === null ? [1] : [1, 2]
  return periods.flatMap((period) =>
    Array.from({ length: count + 1 }, (_, dateCount) => ({
      name: sliceName(component, dateCount, period === 1 ? '' : '_2'),
      period,
      dates: dateLevels(selection, selection.levels.length).slice(0, dateCount),
    })),
  )
}

/** The name of a distinct component whose period is cut by so many date levels. */
export const sliceName = (component: ComponentName, dateCount: number, suffix: '' | '_2'): string =>
  `${component}_by${dateCount}${suffix}`

/** SQL of the first day of the slice that contains `day`. */
function sliceStart(period: 1 | 2, dates: readonly DateDimension[], selection: Selection, params: Params): string {
  const from = params.bindAs(
    `from${period}`,
    'Date',
    (period === 1 ? selection.first : (selection.second ?? selection.first)).from,
  )
  return dates.length === 0
    ? from
    : `greatest(${[from, ...dates.map((date) => SLICE_START_SQL[date]('day'))].join(', ')})`
}

/** The SQL conditions on facts of a source; null when no fact can match. */
export function whereSql(source: SourceName, selection: Selection, params: Params): string[] | null {
  const where: string[] = [...SOURCE_SQL[source].where, ...scopeSql(selection, params)]
  if (source === 'click' && selection.knownAt !== null)
    where.push(`created_at <= ${knownAtParam(selection.knownAt, params)}`)
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
  partners === null ? [] : [`partner_id in ${params.bindAs('scope', 'Array(UInt32)', partners)}`]

/** Null when no fact can match. */
function conditionsSql(source: SourceName, selection: Selection, params: Params): string[] | null {
  const where = selection.conditions.map((condition) => conditionSql(condition, source, params))
  return where.includes(NOTHING) ? null : where.filter((sql) => sql !== EVERYTHING)
}

/** SQL for each period: the day, and the day by which the activity selects players, lie in it. */
function periodsSql(source: SourceName, selection: Selection, params: Params): string[] {
  const activity = ACTIVITY_SQL[selection.activity]
  return periodEnds(selection, params).map((ends) => {
    const chooses =
      source === 'activity' && 'dayInPeriod' in activity ? ` and ${activity.dayInPeriod} between ${ends}` : ''
    return chooses === '' ? `day between ${ends}` : `(day between ${ends}${chooses})`
  })
}

/** SQL of the columns `in1` and `in2`: whether a fact counts in each period. */
export const periodFlags = (source: SourceName, selection: Selection, params: Params): string[] =>
  periodsSql(source, selection, params).map((sql, index) => `(${sql}) as in${index + 1}`)
