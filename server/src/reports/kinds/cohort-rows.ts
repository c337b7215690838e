// Answers a drill-down from a number of a cohort table to the facts of its players.

import { earlierDay, laterDay } from '@tributary/contract/period'
import type { CohortDrillRequest } from '@tributary/contract/reports/cohort'
import type { CohortVariant } from '@tributary/contract/reports/cohort-choices'
import type { GeneralReportRowsAnswer } from '@tributary/contract/reports/general'
import type { MetricName } from '@tributary/contract/reports/traffic'
import { AppError, invalidField } from '../../lib/app-error.ts'
import { type Drill, drilledMetric } from '../engine/compile-drill.ts'
import { openReportContext, type ReportEngines } from '../engine/context.ts'
import { ALL_DAYS, type Params } from '../engine/params.ts'
import type { Condition, Viewer } from '../engine/query.ts'
import { createStatementRunner } from '../engine/run-statement.ts'
import { type CohortQuery, cohortStart, parseCohort, periodDays, stepFrom } from './cohort-query.ts'
import { periodSql, planCohort } from './compile-cohort.ts'
import { answerDrills, groupCondition } from './drill-down.ts'

export async function answerCohortRows(
  { filter, cell, pagination }: CohortDrillRequest,
  viewer: Viewer,
  engines: ReportEngines,
  variant: CohortVariant,
  signal?: AbortSignal,
): Promise<GeneralReportRowsAnswer> {
  const context = await openReportContext(viewer, engines, signal)
  const query = parseCohort({ filter }, context, variant)
  if (cell.metric !== 'size' && !query.metrics.includes(cell.metric)) throw new AppError('forbidden')
  const run = createStatementRunner(context, query.selection)
  return answerDrills(drillsOf(query, cell), cell.metric, pagination, run, context)
}

/** Facts of the cohort's players on the days of the cell, and entered spend of the cohort's days if the cell includes it. */
function drillsOf(query: CohortQuery, cell: CohortDrillRequest['cell']): Drill[] {
  const { selection, unit, basis, today, isCumulative, periods } = query
  const { from, to } = selection.first
  if (cell.cohort !== undefined && cohortStart(unit, cell.cohort) !== cell.cohort)
    throw invalidField('cell.cohort', 'value_invalid')
  const own = cell.cohort === undefined ? { from, to: lastDay(query, cell.period) } : periodDays(unit, cell.cohort, 0)
  const days = { from: laterDay(own.from, from), to: earlierDay(own.to, to) }
  const ofGroup = cell.group === undefined ? [] : [groupCondition(selection.levels[0], cell.group, 'cell.group')]
  const conditions = [...selection.conditions, ...ofGroup]
  const plan = planCohort(query)
  const metric = shownMetric(cell.metric, basis, isCumulative || cell.period === undefined)
  const base = { metric, plan, report: selection, spend: { which: 'all' } } as const
  const chosen: Condition = {
    on: { kind: 'column', column: basis === 'registration' ? 'registered_day' : 'first_deposit_day' },
    operator: 'between',
    ...days,
  }
  const within = cell.cohort === undefined ? null : periodDays(unit, cell.cohort, cell.period ?? periods - 1)
  const isWhole = cell.period === undefined || isCumulative
  const first = {
    from: within === null || isWhole || cell.period === 0 ? ALL_DAYS.from : within.from,
    to: within === null ? today : earlierDay(within.to, today),
  }
  const players: Drill = {
    ...base,
    source: 'activity',
    ...(cell.cohort === undefined && { where: (params) => columnOfTotal(query, cell.period, params) }),
    selection: { ...selection, first, conditions: [...conditions, chosen] },
  }
  const hasEntered = isWhole || cell.period === 0
  const entered: Drill = { ...base, source: 'spend', selection: { ...selection, first: days, conditions } }
  return hasEntered && days.from <= days.to ? [players, entered] : [players]
}

/** The last day of the last cohort that has a cell in the column. */
function lastDay({ unit, current, selection }: CohortQuery, period: number | undefined): string {
  if (period === undefined) return selection.first.to
  return periodDays(unit, stepFrom(unit, current, -period), 0).to
}

/** SQL condition: a player's day belongs to the column of the period, or without a period to any column of the table. */
function columnOfTotal(query: CohortQuery, period: number | undefined, params: Params): string {
  if (period === undefined) return `${periodSql(query)} < ${params.bind('UInt16', query.periods)}`
  return `${periodSql(query)} ${query.isCumulative ? '<=' : '='} ${params.bind('UInt16', period)}`
}

/** The metric whose facts are shown. Players who ever deposited are found by their first deposit. */
function shownMetric(requested: MetricName, basis: CohortQuery['basis'], isWhole: boolean): MetricName {
  const metric = drilledMetric(requested)
  if (metric === 'size') return basis === 'registration' ? 'cr' : 'nd'
  return metric === 'players' && isWhole ? 'nd' : metric
}
