// The charts of the dashboard: how well all of it works over time, and the first five partners and countries.

import { today } from '@tributary/contract/period'
import { TOP_COUNT, type TopMetric } from '@tributary/contract/reports/choices'
import type { ReportRow } from '@tributary/contract/reports/general'
import type { ChartPoint, DashboardQuery, EfficiencyAnswer, TopAnswer } from '@tributary/contract/reports/kinds'
import { isVisibleTo, metricOf } from '@tributary/contract/reports/traffic'
import { AppError } from '../../lib/app-error.ts'
import type { Viewer } from '../question.ts'
import { type Asking, ask, prepareAsking, shapeQuestion, tell } from '../shaped.ts'
import type { ReportEngines } from './general.ts'

export async function answerEfficiency(
  query: DashboardQuery,
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<EfficiencyAnswer> {
  const asking = await prepareAsking(viewer, engines, signal)
  const question = shapeQuestion(narrow(query, asking), { levels: [query.period], rowsBy: 'anything' }, asking)
  const { rows, total, isRateMissing } = await ask(question, asking)
  return { ...tell(question, asking, isRateMissing), points: rows.flatMap((row) => pointOf(row, 'g')), total }
}

export async function answerTop(
  query: DashboardQuery,
  dimension: 'partner' | 'country',
  viewer: Viewer,
  engines: ReportEngines,
  signal?: AbortSignal,
): Promise<TopAnswer> {
  const asking = await prepareAsking(viewer, engines, signal)
  const metric = chooseMetric(query.metric, viewer)
  const question = shapeQuestion(
    narrow(query, asking),
    { levels: [dimension, query.period], rowsBy: 'anything', sort: { by: metric, desc: true }, limit: TOP_COUNT },
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

function chooseMetric(asked: TopMetric | undefined, { role }: Viewer): TopMetric {
  if (asked === undefined) return isVisibleTo(metricOf('income'), role) ? 'income' : 'nd'
  if (!isVisibleTo(metricOf(asked), role)) throw new AppError('forbidden')
  return asked
}

function narrow(query: DashboardQuery, { setting }: Asking): object {
  const now = today(setting.zone)
  const lists = (['advertisers', 'countries', 'partners', 'products'] as const).flatMap((name) => {
    const ids = query[`${name}[]`]
    return ids === undefined ? [] : [[name, ids]]
  })
  const dateTo = query.dateTo ?? now
  return { dateFrom: query.dateFrom ?? `${dateTo.slice(0, 4)}-01-01`, dateTo, ...Object.fromEntries(lists) }
}

/** Rows of a level follow each other by the number that was asked; points by time. */
const inTime = (points: ChartPoint[]): ChartPoint[] => points.toSorted((a, b) => (a.date < b.date ? -1 : 1))

function pointOf(row: ReportRow, level: 'g' | 'sg'): ChartPoint[] {
  const group = row[level]
  return group?.date === undefined ? [] : [{ date: group.date, title: group.title, m: row.m }]
}
