// From a checked request to a question: absent dates filled in, levels that are off dropped, everything that the role may not have refused.

import { REPORT_DAYS_CAP } from '@tributary/contract/limits'
import { addDays, daysBetween, earlierDay, type Period, today } from '@tributary/contract/period'
import {
  LEVEL_FIELDS,
  REPORT_FILTER_NAMES,
  type ReportFilterName,
  type ReportVariant,
  reportFilterOf,
} from '@tributary/contract/reports/choices'
import { isFormulaKey } from '@tributary/contract/reports/column-name'
import type { ReportFilterValues } from '@tributary/contract/reports/filter'
import type { GeneralReportRequest, MetricCondition, MetricKey, SortKey } from '@tributary/contract/reports/general'
import {
  type DimensionName,
  dimensionOf,
  isVisibleTo,
  METRIC_NAMES,
  type MetricName,
  metricOf,
  splitKey,
} from '@tributary/contract/reports/traffic'
import { timeText } from '../../facts/cause.ts'
import { AppError, invalidField } from '../../lib/app-error.ts'
import { filterSql } from '../model/filter.ts'
import type { ReportSetting } from './context.ts'
import { NO_SUMS } from './month-sums.ts'
import type { Condition, OwnColumn, Question, Selection, Sort, Viewer } from './query.ts'

type Asked = Pick<GeneralReportRequest, 'filter' | 'cfFilter' | 'pagination'> &
  Partial<Pick<GeneralReportRequest, 'sort'>>

const PLAIN: ReportVariant = { isByClick: false, isFlat: false }

export function parseQuestion(
  request: Asked,
  viewer: Viewer,
  setting: ReportSetting,
  variant = PLAIN,
  formulas: readonly OwnColumn[] = [],
): Question {
  const selection = { ...parseSelection(request.filter, viewer, setting), isByClick: variant.isByClick }
  const metrics = METRIC_NAMES.filter((name) => isVisibleTo(metricOf(name), viewer.role))
  const sort = request.sort === undefined ? null : { by: sortBy(request.sort.by), desc: request.sort.desc }
  // Object.entries forgets the keys' type, which the schema has checked.
  const limits = (Object.entries(request.cfFilter) as [MetricKey, MetricCondition | undefined][]).flatMap(
    ([key, condition]) => (condition === undefined || Object.keys(condition).length === 0 ? [] : [{ key, condition }]),
  )
  for (const { key } of limits) checkKey(key, metrics, selection)
  if (sort !== null) checkSort(sort, metrics, selection)
  return { ...selection, isFlat: variant.isFlat, metrics, formulas, limits, sort, ...request.pagination }
}

const sortBy = (key: SortKey): Sort['by'] => (key === 'spend' ? 's' : key === 'spend_2' ? 's_2' : key)

/** As `checkKey`; of columns of one's own those that the role sees have been read. */
export function checkSort({ by }: Sort, metrics: readonly MetricName[], selection: Pick<Selection, 'second'>): void {
  if (by === 'group') return
  if (!isFormulaKey(by)) checkKey(by, metrics, selection)
  else if (by.endsWith('_2') && selection.second === null) throw invalidField(by, 'unknown_field')
}

/** Refuses a number that the role must not have, and one of a second period that was not asked for. */
export function checkKey(key: MetricKey, metrics: readonly MetricName[], { second }: Pick<Selection, 'second'>): void {
  const { metric, isSecond } = splitKey(key)
  if (!metrics.includes(metric)) throw new AppError('forbidden')
  if (isSecond && second === null) throw invalidField(key, 'unknown_field')
}

export function parseSelection(filter: ReportFilterValues, viewer: Viewer, setting: ReportSetting): Selection {
  const { first, second } = parsePeriods(filter, setting.zone)
  const levels = new Set<DimensionName>()
  for (const field of LEVEL_FIELDS) {
    const level = filter[field]
    if (level === 'off') continue
    if (!isVisibleTo(dimensionOf(level), viewer.role)) throw new AppError('forbidden')
    levels.add(level)
  }
  return {
    levels: [...levels],
    first,
    second,
    conditions: REPORT_FILTER_NAMES.flatMap((name) => parseConditions(name, filter, viewer)),
    activity: filter.activity,
    baseline: filter.baseLine,
    partners: viewer.partners,
    knownAt: parseKnownAt(filter.knownAt),
    isByClick: false,
    rowsBy: 'traffic',
    sums: NO_SUMS,
    countries: setting.countries,
  }
}

/** A moment that has not come knows what is known now. */
function parseKnownAt(moment: string | undefined): string | null {
  const at = moment === undefined ? Number.POSITIVE_INFINITY : Date.parse(moment)
  return at < Date.now() ? timeText(Math.max(0, at)) : null
}

function parsePeriods(filter: ReportFilterValues, zone: string): { first: Period; second: Period | null } {
  const now = today(zone)
  const to = filter.dateTo ?? (filter.dateFrom !== undefined && filter.dateFrom > now ? filter.dateFrom : now)
  const from = filter.dateFrom ?? earlierDay(to, now)
  const first = checkedPeriod(from, to, 'dateTo')
  if (filter.secondDateTo === undefined) return { first, second: null }
  const secondFrom = filter.secondDateFrom ?? addDays(filter.secondDateTo, -daysBetween(from, to))
  return { first, second: checkedPeriod(secondFrom, filter.secondDateTo, 'secondDateTo') }
}

/** ClickHouse's days end in 2149 and begin in 1970; a report needs neither. */
const EARLIEST = '1971-01-01'
const LATEST = '2148-12-31'

function checkedPeriod(from: string, to: string, field: string): Period {
  if (from > to) throw invalidField(`filter.${field}`, 'dates_reversed')
  if (from < EARLIEST || to > LATEST || daysBetween(from, to) > REPORT_DAYS_CAP)
    throw invalidField(`filter.${field}`, 'date_invalid')
  return { from, to }
}

type FilterValue =
  | string
  | readonly (string | number)[]
  | { in: readonly (string | number)[] }
  | { nin: readonly (string | number)[] }
  | { like: string }

function parseConditions(name: ReportFilterName, filter: ReportFilterValues, viewer: Viewer): Condition[] {
  const value: FilterValue | undefined = filter[name]
  if (value === undefined) return []
  if (!isVisibleTo(reportFilterOf(name), viewer.role)) throw new AppError('forbidden')
  const on = filterSql(name)
  if (typeof value === 'string') {
    if (reportFilterOf(name).kind !== 'period') return value === '' ? [] : [{ on, operator: 'in', values: [value] }]
    const [from = '', to = ''] = value.split('|')
    return [{ on, operator: 'between', from, to }]
  }
  if (isList(value)) return oneOf(on, 'in', value)
  if ('in' in value) return oneOf(on, 'in', value.in)
  if ('nin' in value) return oneOf(on, 'nin', value.nin)
  return value.like === '' ? [] : [{ on, operator: 'like', text: value.like }]
}

const isList = (value: Exclude<FilterValue, string>): value is readonly (string | number)[] => Array.isArray(value)

/** An empty list is a filter that was not filled in. */
const oneOf = (on: Condition['on'], operator: 'in' | 'nin', values: readonly (string | number)[]): Condition[] =>
  values.length === 0 ? [] : [{ on, operator, values: [...new Set(values)] }]
