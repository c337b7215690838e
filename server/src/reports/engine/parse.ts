// Stage 1 of a report run: parses a request, which its schema has checked, to a report query. It fills in absent dates, drops levels that are
// off, and rejects what is hidden from the role.

import { ALL, REPORT_DAYS_CAP } from '@tributary/contract/limits'
import { addDays, daysBetween, earlierDay, type Period, today } from '@tributary/contract/period'
import {
  LEVEL_FIELDS,
  REPORT_FILTER_NAMES,
  type ReportFilterName,
  type ReportVariant,
  reportFilterOf,
} from '@tributary/contract/reports/choices'
import { isFormulaKey } from '@tributary/contract/reports/column-name'
import { type ReportFilterValues, reportFilterSchema } from '@tributary/contract/reports/filter'
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
import type { RowsBy } from '../model/component.ts'
import { filterSql } from '../model/dimension.ts'
import type { ReportContext } from './context.ts'
import { NO_SUMS } from './month-sums.ts'
import type { Condition, Formula, MetricFilter, PageRequest, ReportQuery, Selection, Sort } from './query.ts'

/** One request to the engine. Absent fields mean no levels, no metric filters, the default order and all rows in one page. */
export interface ReportRequest {
  /** Fields that the schema of the report has accepted. */
  readonly filter: Partial<ReportFilterValues>
  readonly variant?: ReportVariant
  /** The levels, rows and metrics of a fixed-shape report. */
  readonly shape?: ReportShape
  readonly formulas?: readonly Formula[]
  readonly cfFilter?: GeneralReportRequest['cfFilter'] | undefined
  readonly sort?: GeneralReportRequest['sort'] | undefined
  readonly pagination?: PageRequest
  /** Added to the conditions of the filter. */
  readonly conditions?: readonly Condition[]
  /** Replaces the first period of the filter. */
  readonly period?: Period
}

/** What a report fixes in advance of a request. */
export interface ReportShape {
  readonly levels: readonly DimensionName[]
  readonly rowsBy: RowsBy
  /** Absent means the metrics of the general report. Metrics that are hidden from the role are omitted. */
  readonly metrics?: readonly MetricName[]
}

const DEFAULT_VARIANT: ReportVariant = { isByClick: false, isFlat: false }
const ALL_ROWS: PageRequest = { page: 1, limit: ALL }
const NO_LEVELS = reportFilterSchema.parse(Object.fromEntries(LEVEL_FIELDS.map((field) => [field, 'off'])))

/** What parsing needs of the context. */
export type ParseContext = Pick<ReportContext, 'viewer' | 'setting' | 'reportedIncome'>

/** Throws AppError: `forbidden` for fields that are hidden from the role, `invalid` for impossible dates and keys. */
export function parseQuery(request: ReportRequest, context: ParseContext): ReportQuery {
  const { variant = DEFAULT_VARIANT, shape, formulas = [], conditions = [], pagination = ALL_ROWS, period } = request
  const selection = parseSelection(request.filter, context)
  const metrics = (shape?.metrics ?? METRIC_NAMES).filter((name) => isVisibleTo(metricOf(name), context.viewer.role))
  const metricFilters = parseMetricFilters(request.cfFilter ?? {})
  for (const { key } of metricFilters) checkKey(key, metrics, selection)
  const sort = request.sort === undefined ? null : { by: sortBy(request.sort.by), desc: request.sort.desc }
  if (sort !== null) checkSort(sort, metrics, selection)
  return {
    ...selection,
    ...(period !== undefined && { first: period }),
    ...(shape !== undefined && { levels: shape.levels, rowsBy: shape.rowsBy }),
    ...variant,
    conditions: [...selection.conditions, ...conditions],
    metrics,
    formulas,
    metricFilters,
    sort,
    ...pagination,
  }
}

const sortBy = (key: SortKey): Sort['by'] => (key === 'spend' ? 's' : key === 'spend_2' ? 's_2' : key)

// Object.entries loses the type of the keys, which the schema has checked.
const parseMetricFilters = (cfFilter: NonNullable<ReportRequest['cfFilter']>): MetricFilter[] =>
  (Object.entries(cfFilter) as [MetricKey, MetricCondition | undefined][]).flatMap(([key, condition]) =>
    condition === undefined || Object.keys(condition).length === 0 ? [] : [{ key, condition }],
  )

/** Throws like `checkKey`. Formulas need no check, because the query has only those that the role sees. */
function checkSort({ by }: Sort, metrics: readonly MetricName[], selection: Pick<Selection, 'second'>): void {
  if (by === 'group') return
  if (!isFormulaKey(by)) checkKey(by, metrics, selection)
  else if (by.endsWith('_2') && selection.second === null) throw invalidField(by, 'unknown_field')
}

/** Throws AppError: `forbidden` for a metric that is hidden from the role, `invalid` for a second period that the query lacks. */
export function checkKey(key: MetricKey, metrics: readonly MetricName[], { second }: Pick<Selection, 'second'>): void {
  const { metric, isSecond } = splitKey(key)
  if (!metrics.includes(metric)) throw new AppError('forbidden')
  if (isSecond && second === null) throw invalidField(key, 'unknown_field')
}

/** The facts that a filter selects. Absent fields select everything; absent levels are off. */
export function parseSelection(
  fields: Partial<ReportFilterValues>,
  { viewer, setting, reportedIncome }: ParseContext,
): Selection {
  const filter = { ...NO_LEVELS, ...fields }
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
    deletedClicks: setting.deletedClicks,
    reportedIncome,
    countries: setting.countries,
  }
}

/** A moment in the future means as known now (null). */
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

/** They leave a margin to the first and last day that ClickHouse can store. */
const EARLIEST = '1971-01-01'
const LATEST = '2148-12-31'

function checkedPeriod(from: string, to: string, field: string): Period {
  if (from > to) throw invalidField(`filter.${field}`, 'dates_reversed')
  if (daysBetween(from, to) > REPORT_DAYS_CAP)
    throw invalidField(`filter.${field}`, 'period_too_long', { days: REPORT_DAYS_CAP })
  if (from < EARLIEST || to > LATEST) throw invalidField(`filter.${field}`, 'date_invalid')
  return { from, to }
}

type FilterValue =
  | string
  | readonly (string | number)[]
  | { in: readonly (string | number)[] }
  | { nin: readonly (string | number)[] }
  | { like: string }

function parseConditions(
  name: ReportFilterName,
  filter: ReportFilterValues,
  viewer: ReportContext['viewer'],
): Condition[] {
  const value: FilterValue | undefined = filter[name]
  if (value === undefined) return []
  if (!isVisibleTo(reportFilterOf(name), viewer.role)) throw new AppError('forbidden')
  const on = filterSql(name)
  if (typeof value === 'string') {
    if (reportFilterOf(name).kind !== 'period') return value === '' ? [] : [{ on, operator: 'in', values: [value] }]
    const [from = '', to = ''] = value.split('|')
    return [{ on, operator: 'between', from, to }]
  }
  if (isList(value)) return listConditions(on, 'in', value)
  if ('in' in value) return listConditions(on, 'in', value.in)
  if ('nin' in value) return listConditions(on, 'nin', value.nin)
  return value.like === '' ? [] : [{ on, operator: 'like', text: value.like }]
}

const isList = (value: Exclude<FilterValue, string>): value is readonly (string | number)[] => Array.isArray(value)

/** An empty list means no filter. */
const listConditions = (
  on: Condition['on'],
  operator: 'in' | 'nin',
  values: readonly (string | number)[],
): Condition[] => (values.length === 0 ? [] : [{ on, operator, values: [...new Set(values)] }])
