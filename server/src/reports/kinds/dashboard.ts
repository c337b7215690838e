// The charts of the dashboard: how well all of it works over time, and the first five partners and countries.
import { today } from '@tributary/contract/period'
import { TOP_COUNT, type TopMetric } from '@tributary/contract/reports/choices'
import type { GeneralReportRowsAnswer, ReportRow } from '@tributary/contract/reports/general'
import type {
  ChartPoint,
  DashboardAnswer,
  DashboardQuery,
  DashboardRequest,
  DashboardRowsRequest,
  EfficiencyAnswer,
  TopAnswer,
} from '@tributary/contract/reports/kinds'
import { isVisibleTo, metricOf } from '@tributary/contract/reports/traffic'
import { AppError } from '../../lib/app-error.ts'
import type { Viewer } from '../engine/query.ts'
import { answerCellRows } from './drill-down.ts'
import { type Asking, ask, atPeriod, prepareAsking, shapeQuestion, tell } from './fixed-shape.ts'
import type { ReportEngines } from './general.ts'

export async function answerEfficiency(
  query: DashboardQuery,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<EfficiencyAnswer> {
  const asking = await prepareAsking(viewer, engines, signal)
  return askEfficiency(filterOf(query), asking)
}

export async function answerTop(
  query: DashboardQuery,
  dimension: Ranked,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<TopAnswer> {
  const asking = await prepareAsking(viewer, engines, signal)
  return askTop(filterOf(query), dimension, asking)
}

export async function answerDashboard(
  { filter }: DashboardRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<DashboardAnswer> {
  const asking = await prepareAsking(viewer, engines, signal)
  const [efficiency, partners, countries] = await Promise.all([
    askEfficiency(filter, asking),
    askTop(filter, 'partner', asking),
    askTop(filter, 'country', asking),
  ])
  return { ...efficiency, metric: partners.metric, partners: partners.rows, countries: countries.rows }
}

/** The facts behind a point, or behind the whole of a chart or of one of its lines. */
export async function answerDashboardRows(
  { filter, cell, pagination }: DashboardRowsRequest,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<GeneralReportRowsAnswer> {
  const asking = await prepareAsking(viewer, engines, signal)
  const levels = cell.of === 'all' ? [filter.period] : [cell.of, filter.period]
  const question = shapeQuestion(narrow(filter, asking), { levels, rowsBy: 'anything' }, asking)
  return answerCellRows(atPeriod(question, filter.period, cell), cell, pagination, engines, signal)
}

type Filter = DashboardRequest['filter']
type Ranked = 'partner' | 'country'

async function askEfficiency(filter: Filter, asking: Asking): Promise<EfficiencyAnswer> {
  const question = shapeQuestion(narrow(filter, asking), { levels: [filter.period], rowsBy: 'anything' }, asking)
  const { rows, total, isRateMissing } = await ask(question, asking)
  return { ...tell(question, asking, isRateMissing), points: rows.flatMap((row) => pointOf(row, 'g')), total }
}

async function askTop(filter: Filter, dimension: Ranked, asking: Asking): Promise<TopAnswer> {
  const metric = chooseMetric(filter.metric, asking.viewer)
  const question = shapeQuestion(
    narrow(filter, asking),
    {
      levels: [dimension, filter.period],
      rowsBy: 'anything',
      sort: { by: metric, desc: true },
      limit: TOP_COUNT,
    },
    asking,
  )
  const { rows, total, isRateMissing } = await ask(question, asking)
  return {
    ...tell(question, asking, isRateMissing),
    metric,
    rows: rows.flatMap(({ g, m, children = [] }) =>
      g === undefined ? [] : [{ group: g, m, points: inTime(children.flatMap((row) => pointOf(row, 'sg'))) }],
    ),
    total,
  }
}

export function chooseMetric(asked: TopMetric | undefined, { role }: Viewer): TopMetric {
  if (asked === undefined) return isVisibleTo(metricOf('income'), role) ? 'income' : 'nd'
  if (!isVisibleTo(metricOf(asked), role)) throw new AppError('forbidden')
  return asked
}

/** The query as the filter of the whole. */
function filterOf({ period, metric, dateFrom, dateTo, ...query }: DashboardQuery): Filter {
  const lists = (['advertisers', 'countries', 'partners', 'products'] as const).flatMap((name) => {
    const ids = query[`${name}[]`]
    return ids === undefined ? [] : [[name, ids]]
  })
  const days = { ...(dateFrom !== undefined && { dateFrom }), ...(dateTo !== undefined && { dateTo }) }
  return { period, ...(metric !== undefined && { metric }), ...days, ...Object.fromEntries(lists) }
}

/** From the start of the year unless said otherwise. */
function narrow({ period: _period, metric: _metric, ...narrowing }: Filter, { setting }: Asking): object {
  const dateTo = narrowing.dateTo ?? today(setting.zone)
  return { ...narrowing, dateFrom: narrowing.dateFrom ?? `${dateTo.slice(0, 4)}-01-01`, dateTo }
}

/** Rows of a level follow each other by the number that was asked; points by time. */
const inTime = (points: ChartPoint[]): ChartPoint[] => points.toSorted((a, b) => (a.date < b.date ? -1 : 1))

function pointOf(row: ReportRow, level: 'g' | 'sg'): ChartPoint[] {
  const group = row[level]
  return group?.date === undefined ? [] : [{ date: group.date, title: group.title, m: row.m }]
}
