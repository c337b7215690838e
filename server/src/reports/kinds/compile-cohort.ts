// Cohorts as one statement: players' days and entered spend → cells of cohort, group and period → rows, chosen, ordered and cut to the page.
// Entered spend is nobody's: it stands in the first period of the cohort of its own day.

import { ALL } from '@tributary/contract/limits'
import type { MetricName, PartName, SourceName } from '@tributary/contract/reports/traffic'
import { factsSql, finish, groupColumns } from '../engine/compile.ts'
import { whereSql } from '../engine/compile-source.ts'
import { columnSql } from '../engine/condition.ts'
import { groupOrderSql, meetSql, placesSql } from '../engine/order.ts'
import { Params, type Statement } from '../engine/params.ts'
import { EVER } from '../engine/periods.ts'
import { type Plan, planReport } from '../engine/plan.ts'
import { START_OF } from '../model/column.ts'
import { sourceFrom } from '../model/known.ts'
import { metricSql } from '../model/metric.ts'
import { kindOf, partSql, SOURCE_SQL, sourceOf } from '../model/part.ts'
import type { CohortQuestion } from './cohort-query.ts'

/** Parts of a cell, in the order in which the statement gives them; then whether a rate was missing. */
export const COHORT_PARTS = [
  'cohort_players',
  'depositors',
  'new_deposits',
  'deposits_count',
  'deposits_amount',
  'income',
  'player_spend',
  'entered_spend',
] as const satisfies readonly PartName[]
export const COHORT_NUMBERS = [...COHORT_PARTS, 'rate_missing'] as const

export const planCohort = ({ selection, metrics }: CohortQuestion): Plan => planReport(selection, metrics)

/** The day that puts a player into a cohort. */
const basisColumn = ({ basis }: CohortQuestion): string =>
  basis === 'registration' ? 'registered_day' : 'first_deposit_day'

/** Which period of its player's cohort a day is in. What happened before the cohort began counts in its first one. */
export const periodSql = (question: CohortQuestion): string => {
  const start = START_OF[question.unit]
  return `toUInt16(greatest(0, dateDiff('${question.unit}', ${start(basisColumn(question))}, ${start('day')})))`
}

/** Cells of one source: c_<column>…, cohort, period, n_<part>…, n_rate_missing. Null when it can have no fact. */
function sourceSql(source: SourceName, question: CohortQuestion, plan: Plan, params: Params): string | null {
  const { selection, unit, basis } = question
  const isPlayers = source === 'activity'
  const days = isPlayers ? { ...selection, first: { from: EVER.from, to: question.today } } : selection
  const where = whereSql(source, days, params)
  if (where === null) return null
  const day = isPlayers ? basisColumn(question) : 'day'
  const { from, to } = selection.first
  if (isPlayers)
    where.push(
      `${day} between ${params.named('cohort_from', 'Date', from)} and ${params.named('cohort_to', 'Date', to)}`,
    )
  const cohort = START_OF[unit](day)
  const period = isPlayers ? periodSql(question) : 'toUInt16(0)'
  if (isPlayers) where.push(`${period} < ${params.named('periods', 'UInt16', question.periods)}`)
  const sums = COHORT_PARTS.map((part) => {
    if (sourceOf(part) !== source) return `toInt64(0) as n_${part}`
    const sql = part === 'cohort_players' && basis === 'first_deposit' ? 'sum(first_deposits)' : partSql(part)
    return `toInt64(${sql}${kindOf(part) === 'money' ? ' * 10000' : ''}) as n_${part}`
  })
  const columns = plan.columns.map((column) => `${columnSql(column, source)} as c_${column}`)
  return `select ${[...columns, `${cohort} as cohort`, `${period} as period`, ...sums].join(', ')}, ${SOURCE_SQL[source].rateMissing} as n_rate_missing
from ${sourceFrom(source, days, params)}
where ${where.join('\n  and ')}
group by ${[...plan.columns.map((column) => `c_${column}`), 'cohort', 'period'].join(', ')}`
}

/** One row for each cohort and group: cohort, g1, cells, and the sums of its parts. Null when there can be none. */
function rowsSql(question: CohortQuestion, plan: Plan, params: Params): string | null {
  const { selection } = question
  const sources = plan.sources.filter((source) => source !== 'click')
  const selects = sources.map((source) => sourceSql(source, question, plan, params)).filter((sql) => sql !== null)
  if (selects.length === 0) return null
  const [group = "'' as g1"] = groupColumns(selection)
  const sums = COHORT_NUMBERS.map((name) =>
    name === 'rate_missing' ? 'max(facts.n_rate_missing) as rate_missing' : `sum(facts.n_${name}) as ${name}`,
  )
  const cells = `select cohort, ${group}, period, ${sums.join(', ')}
from ${factsSql(selects.join('\nunion all\n'), plan)}
group by cohort, g1, period`
  const limits = limitsSql(question, params)
  // The players of a whole row are those who have ever deposited: each has one first deposit.
  const wholes = COHORT_PARTS.map((part) => `sum(cell.${part === 'depositors' ? 'new_deposits' : part}) as ${part}`)
  return `select cohort, g1, groupArray(tuple(period, ${COHORT_NUMBERS.map((name) => `cell.${name}`).join(', ')})) as cells, ${wholes.join(', ')}
from (\n${cells}\n) as cell
group by cohort, g1${limits === null ? '' : `\nhaving ${limits}`}`
}

/** The metric by which a whole row is compared: in cumulative mode the average check is of first deposits. */
export const comparedMetric = (key: MetricName, { isCumulative }: CohortQuestion): MetricName =>
  key === 'avg_check' && isCumulative ? 'cohort_check' : key

/** Cumulative cost of a deposit is blank where nothing was spent. */
function comparedSql(key: MetricName, question: CohortQuestion): string {
  const sql = metricSql(comparedMetric(key, question), '')
  return key === 'cfd' && question.isCumulative ? `if(player_spend + entered_spend = 0, null, ${sql})` : sql
}

function limitsSql(question: CohortQuestion, params: Params): string | null {
  const conditions = question.limits.flatMap(({ key, condition }) =>
    meetSql(comparedSql(key, question), condition, params),
  )
  return conditions.length === 0 ? null : conditions.join(' and ')
}

/** Rows [items, cohort, g1, cells: [[period, numbers…]…]] of the page. `ranks`: ids of the group's entity in the order of titles. */
export function compileCohort(question: CohortQuestion, plan: Plan, ranks: readonly number[] | null): Statement | null {
  const params = new Params()
  const rows = rowsSql(question, plan, params)
  if (rows === null) return null
  const order = orderSql(question, ranks, params)
  const within = question.limit === ALL ? '' : `\nwhere place between ${placesSql(question, params, 0)}`
  const sql = `select items, cohort, g1, cells from (
select cohort, g1, cells, row_number() over (order by ${order}) as place, count() over () as items
from (\n${rows}\n)
)${within}
order by place`
  return finish(sql, params, question.selection)
}

function orderSql({ sort, ...question }: CohortQuestion, ranks: readonly number[] | null, params: Params): string {
  const direction = sort?.desc === true ? 'desc' : 'asc'
  if (sort === null || sort.by === 'cohort') return `cohort ${direction}, cohort_players desc, g1`
  if (sort.by === 'group')
    return `${groupOrderSql('g1', question.selection.levels[0], ranks, params)} ${direction}, g1, cohort`
  return `${comparedSql(sort.by, { ...question, sort })} ${direction} nulls last, cohort, g1`
}

/** For totals beyond the page: rows [cohort, groups, groups with players, numbers of period 0, 1… as [[periods], [sums]…]], one a cohort. */
export function compileCohortTotals(question: CohortQuestion, plan: Plan): Statement | null {
  const params = new Params()
  const rows = rowsSql(question, plan, params)
  if (rows === null) return null
  const sums = COHORT_NUMBERS.map(
    (_, place) => `sumMap(arrayMap(cell -> cell.1, cells), arrayMap(cell -> toInt64(cell.${place + 2}), cells))`,
  )
  return finish(
    `select cohort, countIf(cohort_players > 0), ${sums.join(', ')} from (\n${rows}\n) group by cohort order by cohort`,
    params,
    question.selection,
  )
}
