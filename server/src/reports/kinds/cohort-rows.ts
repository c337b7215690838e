// From a number of a cohort table to the players behind it, by the same tracing as the general report's.

import { earlierDay, laterDay } from '@tributary/contract/period'
import type { CohortRowsRequest } from '@tributary/contract/reports/cohort'
import type { CohortVariant } from '@tributary/contract/reports/cohort-choices'
import type { GeneralReportRowsAnswer } from '@tributary/contract/reports/general'
import type { MetricName } from '@tributary/contract/reports/traffic'
import { AppError, invalidField } from '../../lib/app-error.ts'
import { type Trace, tracedMetric } from '../engine/compile-drill.ts'
import { readReportSetting } from '../engine/context.ts'
import { isFittingId } from '../engine/fitting-id.ts'
import type { Params } from '../engine/params.ts'
import { EVER } from '../engine/periods.ts'
import type { Condition, Viewer } from '../engine/query.ts'
import { prepareRun } from '../engine/run-statement.ts'
import { dimensionSql } from '../model/dimension.ts'
import { type CohortQuestion, cohortOf, parseCohort, periodDays, stepFrom } from './cohort-query.ts'
import { periodSql, planCohort } from './compile-cohort.ts'
import { answerTraces } from './drill-down.ts'
import type { ReportEngines } from './general.ts'

export async function answerCohortRows(
  { filter, cell, pagination }: CohortRowsRequest,
  viewer: Viewer,
  engines: ReportEngines,
  variant: CohortVariant,
  signal?: AbortSignal,
): Promise<GeneralReportRowsAnswer> {
  const question = parseCohort({ filter }, viewer, await readReportSetting(engines.postgres), variant)
  if (cell.metric !== 'size' && !question.metrics.includes(cell.metric)) throw new AppError('forbidden')
  const run = prepareRun(engines.clickhouse, question.selection, signal)
  return answerTraces(traceCell(question, cell), cell.metric, pagination, engines, run)
}

/** Facts of players of the cohort in the days of the cell; entered spend of the cohort's own days, where the cell holds them. */
function traceCell(question: CohortQuestion, cell: CohortRowsRequest['cell']): Trace[] {
  const { selection, unit, basis, today, isCumulative, periods } = question
  const { from, to } = selection.first
  if (cell.cohort !== undefined && cohortOf(unit, cell.cohort) !== cell.cohort)
    throw invalidField('cell.cohort', 'value_invalid')
  const own =
    cell.cohort === undefined ? { from, to: lastDay(question, cell.period) } : periodDays(unit, cell.cohort, 0)
  const days = { from: laterDay(own.from, from), to: earlierDay(own.to, to) }
  const conditions = [...selection.conditions, ...groupConditions(question, cell.group)]
  const plan = planCohort(question)
  const metric = partMetric(cell.metric, basis, isCumulative || cell.period === undefined)
  const base = { metric, plan, report: selection, spends: { which: 'all' } } as const
  const chosen: Condition = {
    on: { kind: 'column', column: basis === 'registration' ? 'registered_day' : 'first_deposit_day' },
    operator: 'between',
    ...days,
  }
  const within = cell.cohort === undefined ? null : periodDays(unit, cell.cohort, cell.period ?? periods - 1)
  const isWhole = cell.period === undefined || isCumulative
  const first = {
    from: within === null || isWhole || cell.period === 0 ? EVER.from : within.from,
    to: within === null ? today : earlierDay(within.to, today),
  }
  const players: Trace = {
    ...base,
    source: 'activity',
    ...(cell.cohort === undefined && { where: (params) => columnOfTotal(question, cell.period, params) }),
    selection: { ...selection, first, conditions: [...conditions, chosen] },
  }
  const hasEntered = isWhole || cell.period === 0
  const entered: Trace = { ...base, source: 'spend', selection: { ...selection, first: days, conditions } }
  return hasEntered && days.from <= days.to ? [players, entered] : [players]
}

/** Of the last cohort that has a cell in the column. */
function lastDay({ unit, current, selection }: CohortQuestion, period: number | undefined): string {
  if (period === undefined) return selection.first.to
  return periodDays(unit, stepFrom(unit, current, -period), 0).to
}

/** Days of players of any cohort that stand in a column, or in any. */
function columnOfTotal(question: CohortQuestion, period: number | undefined, params: Params): string {
  if (period === undefined) return `${periodSql(question)} < ${params.bind('UInt16', question.periods)}`
  return `${periodSql(question)} ${question.isCumulative ? '<=' : '='} ${params.bind('UInt16', period)}`
}

/** Whose facts are told: players who ever deposited are known by their first deposit. */
function partMetric(asked: MetricName, basis: CohortQuestion['basis'], isWhole: boolean): MetricName {
  const metric = tracedMetric(asked)
  if (metric === 'size') return basis === 'registration' ? 'cr' : 'nd'
  return metric === 'players' && isWhole ? 'nd' : metric
}

function groupConditions({ selection }: CohortQuestion, id: number | string | undefined): Condition[] {
  if (id === undefined) return []
  const [level] = selection.levels
  if (level === undefined || !isFittingId(level, id)) throw invalidField('cell.group', 'value_invalid')
  return [{ on: dimensionSql(level), operator: 'in', values: [id] }]
}
