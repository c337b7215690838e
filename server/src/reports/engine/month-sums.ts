// Decides where a report reads the sums of whole months (facts/months/month-sums.ts) instead of facts. Both give the same numbers.
import { addDays, lastDayOf } from '@tributary/contract/period'
import { SOURCES, type SourceName } from '@tributary/contract/reports/traffic'
import { readMonthRuns } from '../../facts/months/month-sums.ts'
import { type ColumnName, columnOf } from '../model/column.ts'
import { isSummed } from '../model/component.ts'
import { type DimensionSql, mapOf } from '../model/dimension.ts'
import { periodsOf } from './params.ts'
import type { Plan } from './plan.ts'
import type { MonthSums, Selection } from './query.ts'

export const NO_SUMS: MonthSums = { click: [], activity: [], spend: [] }

const COMMON_COLUMNS: readonly ColumnName[] = [
  'offer',
  'advertiser',
  'partner',
  'offer_partner',
  'stream',
  'traffic_source',
  'country',
  'site',
  'month',
]
/** The columns by which sums of clicks, players and spends are kept. */
export const GROUPING_COLUMNS: Readonly<Record<SourceName, readonly ColumnName[]>> = {
  click: [...COMMON_COLUMNS, 'landing'],
  activity: [...COMMON_COLUMNS, 'landing', 'actual_country'],
  spend: COMMON_COLUMNS,
}

/** The valid month sums that can replace facts of the selection. */
export async function findMonthSums(
  engines: Parameters<typeof readMonthRuns>[0],
  selection: Selection,
  plan: Plan,
  signal?: AbortSignal,
): Promise<MonthSums> {
  const sources = SOURCES.filter((source) => canReadSums(source, selection, plan))
  const months = new Set(sources.length === 0 ? [] : wholeMonths(selection))
  if (months.size === 0) return NO_SUMS
  const runs = await readMonthRuns(engines, months, signal)
  const of = (source: SourceName) => (sources.includes(source) ? runs.filter((one) => one.source === source) : [])
  return { click: of('click'), activity: of('activity'), spend: of('spend') }
}

function canReadSums(source: SourceName, selection: Selection, plan: Plan): boolean {
  if (selection.knownAt !== null || !plan.sources.includes(source)) return false
  if (source === 'activity' && !isPlainActivity(selection, plan)) return false
  return columnsIn(selection, plan).every(
    (column) => columnOf(column).sql[source] === null || GROUPING_COLUMNS[source].includes(column),
  )
}

/** The columns that groups and filters read. */
export const columnsIn = ({ conditions }: Selection, plan: Plan): ColumnName[] => [
  ...plan.columns,
  ...conditions.flatMap(({ on }) => columnsOf(on)),
]

/** Groups sources whose sums one sub-select can read, because groups and filters use the same columns in each. */
export function groupBySameColumns(sources: readonly SourceName[], selection: Selection, plan: Plan): SourceName[][] {
  const columns = columnsIn(selection, plan)
  const usedColumns = (source: SourceName) => columns.map((column) => columnOf(column).sql[source] ?? '').join()
  return [...Map.groupBy(sources, usedColumns).values()]
}

const isPlainActivity = (selection: Selection, plan: Plan): boolean =>
  !selection.isByClick &&
  selection.activity === 'all' &&
  selection.baseline === 'all' &&
  (selection.rowsBy === 'traffic' || selection.rowsBy === 'anything') &&
  plan.components.every(isSummed)

function columnsOf(on: DimensionSql): readonly ColumnName[] {
  if (on.kind === 'column') return [on.column]
  return on.kind === 'pair' ? on.columns : mapOf(on.map).keys.map(([fact]) => fact)
}

/** Months, such as '202606', that each period contains entirely or not at all. */
export function wholeMonths(selection: Pick<Selection, 'first' | 'second'>): string[] {
  const periods = periodsOf(selection)
  const months = new Set(periods.flatMap(({ from, to }) => monthsBetween(from, to)))
  return [...months].filter((month) => {
    const [start, end] = monthEnds(month)
    return periods.every(({ from, to }) => (from <= start && end <= to) || end < from || to < start)
  })
}

/** True if the sums cover all days of the periods. */
export function coversAll(selection: Pick<Selection, 'first' | 'second' | 'sums'>, source: SourceName): boolean {
  const has = new Set(selection.sums[source].map(({ month }) => month))
  return periodsOf(selection).every(({ from, to }) => monthsBetween(from, to).every((month) => has.has(month)))
}

function monthsBetween(from: string, to: string): string[] {
  const months: string[] = []
  for (let day = from; day.slice(0, 7) <= to.slice(0, 7); day = addDays(monthEnds(monthOf(day))[1], 1))
    months.push(monthOf(day))
  return months
}

const monthOf = (day: string): string => day.slice(0, 7).replace('-', '')

function monthEnds(month: string): [start: string, end: string] {
  const name = `${month.slice(0, 4)}-${month.slice(4)}`
  return [`${name}-01`, lastDayOf(name)]
}
