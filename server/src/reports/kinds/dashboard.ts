// Answers the charts of the dashboard: all numbers over time, and the top partners and countries.
import { addDays, daysBetween, earlierDay, today } from '@tributary/contract/period'
import { TOP_COUNT, type TopMetric } from '@tributary/contract/reports/choices'
import type { GeneralReportRowsAnswer, ReportRow, ReportTotal } from '@tributary/contract/reports/general'
import type {
  ChartPoint,
  DashboardAnswer,
  DashboardQuery,
  DashboardRequest,
  DashboardRowsRequest,
  EfficiencyAnswer,
  ReportedComparison,
  TopAnswer,
} from '@tributary/contract/reports/kinds'
import { type DimensionName, isVisibleTo, metricOf } from '@tributary/contract/reports/traffic'
import { AppError } from '../../lib/app-error.ts'
import { openReportContext, type ReportContext, type ReportEngines } from '../engine/context.ts'
import { parseQuery, type ReportRequest } from '../engine/parse.ts'
import type { Viewer } from '../engine/query.ts'
import { runReport } from '../engine/run-report.ts'
import { type Freshness, readFreshness } from '../freshness.ts'
import { answerCellRows } from './drill-down.ts'
import { narrowToPeriod, toHeader } from './fixed-shape.ts'

type Filter = DashboardRequest['filter']
type TopDimension = 'partner' | 'country'

export async function answerEfficiency(
  query: DashboardQuery,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<EfficiencyAnswer> {
  const freshness = await readFreshness(engines.postgres)
  return runEfficiency(toFilter(query), freshness, await openReportContext(viewer, engines, signal))
}

export async function answerTop(
  query: DashboardQuery,
  dimension: TopDimension,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<TopAnswer> {
  const freshness = await readFreshness(engines.postgres)
  return runTop(toFilter(query), dimension, freshness, await openReportContext(viewer, engines, signal))
}

export async function answerDashboard(
  { filter }: DashboardRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<DashboardAnswer> {
  const freshness = await readFreshness(engines.postgres)
  const context = await openReportContext(viewer, engines, signal)
  const { secondDateFrom: _from, secondDateTo, ...first } = filter
  const [efficiency, partners, countries, compared] = await Promise.all([
    runEfficiency(first, freshness, context),
    runTop(first, 'partner', freshness, context),
    runTop(first, 'country', freshness, context),
    secondDateTo === undefined ? null : runReport(toRequest(filter, [], context), context),
  ])
  const second = compared?.query.second ?? null
  const reported = compared === null ? null : await compareReported(filter, compared, context)
  return {
    ...efficiency,
    metric: partners.metric,
    partners: partners.rows,
    partners_total: partners.top_total,
    countries: countries.rows,
    countries_total: countries.top_total,
    total: compared?.total ?? efficiency.total,
    second: second && { dateFrom: second.from, dateTo: second.to },
    ...(reported !== null && { reported }),
  }
}

/** The days that all advertisers have reported, compared with as many days of the second period. */
async function compareReported(
  filter: Filter,
  { total, query: { first, second } }: Pick<Awaited<ReturnType<typeof runReport>>, 'total' | 'query'>,
  context: ReportContext,
): Promise<ReportedComparison | null> {
  if (second === null || total.partial === undefined) return null
  const ends = context.reportedIncome.days.filter((day) => day >= first.from && day < first.to)
  if (ends.length === 0) return null
  const last = ends.reduce(earlierDay)
  const days = {
    dateFrom: first.from,
    dateTo: last,
    secondDateFrom: second.from,
    secondDateTo: earlierDay(second.to, addDays(second.from, daysBetween(first.from, last))),
  }
  const compared = await runReport(toRequest({ ...filter, ...days }, [], context), context)
  return compared.total.partial === undefined ? { ...days, total: compared.total } : null
}

/** The facts behind a point, a line or a whole chart. */
export async function answerDashboardRows(
  { filter, cell, pagination }: DashboardRowsRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<GeneralReportRowsAnswer> {
  const context = await openReportContext(viewer, engines, signal)
  const levels = cell.of === 'all' ? [filter.period] : [cell.of, filter.period]
  const query = parseQuery(narrowToPeriod(toRequest(filter, levels, context), filter.period, cell), context)
  return answerCellRows(query, cell, pagination, context)
}

async function runEfficiency(filter: Filter, freshness: Freshness, context: ReportContext): Promise<EfficiencyAnswer> {
  const result = await runReport(toRequest(filter, [filter.period], context), context)
  const points = result.rows.flatMap((row) => toPoint(row, 'g'))
  return { ...toHeader(result, context, freshness), points, total: result.total }
}

async function runTop(
  filter: Filter,
  dimension: TopDimension,
  freshness: Freshness,
  context: ReportContext,
): Promise<TopAnswer> {
  const metric = chooseMetric(filter.metric, context.viewer)
  const top = { sort: { by: metric, desc: true }, pagination: { page: 1, limit: TOP_COUNT } }
  const result = await runReport({ ...toRequest(filter, [dimension, filter.period], context), ...top }, context)
  const rows = result.rows.flatMap(({ g, m, partial, children = [] }) =>
    g === undefined
      ? []
      : [
          {
            group: g,
            m,
            ...(partial && { partial }),
            points: sortByDate(children.flatMap((row) => toPoint(row, 'sg'))),
          },
        ],
  )
  const total = result.total
  return {
    ...toHeader(result, context, freshness),
    metric,
    rows,
    total,
    top_total: rows.length === 0 ? total : await totalOf(rows, filter, dimension, context),
  }
}

/** The total of the best groups alone. It is counted again, because shown numbers are rounded. */
async function totalOf(
  rows: TopAnswer['rows'],
  filter: Filter,
  dimension: TopDimension,
  context: ReportContext,
): Promise<ReportTotal> {
  const ids = rows.map(({ group }) => group.id)
  const own = dimension === 'partner' ? { partners: ids } : { countries: ids }
  return (await runReport(toRequest({ ...filter, ...own } as Filter, [], context), context)).total
}

/** Throws AppError `forbidden` for a metric that is hidden from the role. */
function chooseMetric(metric: TopMetric | undefined, { role }: Viewer): TopMetric {
  if (metric === undefined) return isVisibleTo(metricOf('income'), role) ? 'income' : 'nd'
  if (!isVisibleTo(metricOf(metric), role)) throw new AppError('forbidden')
  return metric
}

/** Converts the query of one chart to the filter of the dashboard. */
function toFilter({ period, metric, dateFrom, dateTo, ...query }: DashboardQuery): Filter {
  const lists = (['advertisers', 'countries', 'partners', 'products'] as const).flatMap((name) => {
    const ids = query[`${name}[]`]
    return ids === undefined ? [] : [[name, ids]]
  })
  const days = { ...(dateFrom !== undefined && { dateFrom }), ...(dateTo !== undefined && { dateTo }) }
  return { period, ...(metric !== undefined && { metric }), ...days, ...Object.fromEntries(lists) }
}

/** The period begins with the year unless the filter has a start. */
function toRequest(
  { period: _period, metric: _metric, ...filter }: Filter,
  levels: readonly DimensionName[],
  { setting }: ReportContext,
): ReportRequest {
  const dateTo = filter.dateTo ?? today(setting.zone)
  const dateFrom = filter.dateFrom ?? `${dateTo.slice(0, 4)}-01-01`
  return { filter: { ...filter, dateFrom, dateTo }, shape: { levels, rowsBy: 'anything' } }
}

/** Inner rows have the sort of the outer ones, but points must ascend in time. */
const sortByDate = (points: ChartPoint[]): ChartPoint[] => points.toSorted((a, b) => (a.date < b.date ? -1 : 1))

function toPoint(row: ReportRow, level: 'g' | 'sg'): ChartPoint[] {
  const group = row[level]
  return group?.date === undefined
    ? []
    : [{ date: group.date, title: group.title, m: row.m, ...(row.partial && { partial: row.partial }) }]
}
