// Compiles a cohort report to one statement: player days and entered spend → cells by cohort, group and period → the rows of the page.
// Entered spend belongs to no player, so it counts in the first period of the cohort of its own day.

import { ALL } from '@tributary/contract/limits'
import type { ComponentName, MetricName, SourceName } from '@tributary/contract/reports/traffic'
import { factsSql, groupColumns } from '../engine/compile-groups.ts'
import { whereSql } from '../engine/compile-source.ts'
import { INCOME_COUNTS } from '../engine/components.ts'
import { columnSql } from '../engine/condition.ts'
import { isReportedSql } from '../engine/income-days.ts'
import { comparisonsSql } from '../engine/metric-filters.ts'
import { groupOrderSql, pagePlacesSql } from '../engine/order.ts'
import { ALL_DAYS, Params, type Statement, toStatement } from '../engine/params.ts'
import { type Plan, planReport } from '../engine/plan.ts'
import { SLICE_START_SQL } from '../model/column.ts'
import { componentSql, kindOf, SOURCE_SQL, sourceOf } from '../model/component.ts'
import { sourceFromSql } from '../model/known.ts'
import { metricSql } from '../model/metric.ts'
import type { CohortQuery } from './cohort-query.ts'

/** The components of a cell. COHORT_SUMS adds the facts by report of income, COHORT_NUMBERS whether a currency rate was missing. */
const COHORT_COMPONENTS = [
  'cohort_players',
  'depositors',
  'new_deposits',
  'deposits_count',
  'deposits_amount',
  'income',
  'player_spend',
  'entered_spend',
] as const satisfies readonly ComponentName[]
export const COHORT_SUMS = [...COHORT_COMPONENTS, ...INCOME_COUNTS] as const
export const COHORT_NUMBERS = [...COHORT_SUMS, 'rate_missing'] as const

export const planCohort = ({ selection, metrics }: CohortQuery): Plan => planReport(selection, metrics)

/** The column of the day that assigns a player to a cohort. */
const basisColumn = ({ basis }: CohortQuery): string =>
  basis === 'registration' ? 'registered_day' : 'first_deposit_day'

/** SQL of the period (from 0) of the player's cohort that contains a day. Days before the cohort count in its first period. */
export const periodSql = (query: CohortQuery): string => {
  const start = SLICE_START_SQL[query.unit]
  return `toUInt16(greatest(0, dateDiff('${query.unit}', ${start(basisColumn(query))}, ${start('day')})))`
}

/** Rows {c_<column>…, cohort, period, n_<COHORT_NUMBERS>…} of one source. Null when none of its facts can match. */
function sourceSql(source: SourceName, query: CohortQuery, plan: Plan, params: Params): string | null {
  const { selection, unit, basis } = query
  const isPlayers = source === 'activity'
  const days = isPlayers ? { ...selection, first: { from: ALL_DAYS.from, to: query.today } } : selection
  const where = whereSql(source, days, params)
  if (where === null) return null
  const day = isPlayers ? basisColumn(query) : 'day'
  const { from, to } = selection.first
  if (isPlayers)
    where.push(
      `${day} between ${params.bindAs('cohort_from', 'Date', from)} and ${params.bindAs('cohort_to', 'Date', to)}`,
    )
  const cohort = SLICE_START_SQL[unit](day)
  const period = isPlayers ? periodSql(query) : 'toUInt16(0)'
  if (isPlayers) where.push(`${period} < ${params.bindAs('periods', 'UInt16', query.periods)}`)
  const sums = COHORT_COMPONENTS.map((component) => {
    if (sourceOf(component) !== source) return `toInt64(0) as n_${component}`
    const sql =
      component === 'cohort_players' && basis === 'first_deposit' ? 'sum(first_deposits)' : componentSql(component)
    return `toInt64(${sql}${kindOf(component) === 'money' ? ' * 10000' : ''}) as n_${component}`
  })
  const isReported = isPlayers ? isReportedSql(source, selection, params) : null
  const counts = INCOME_COUNTS.map((name) => {
    const isCounted = name === 'reported_facts' ? isReported : `not (${isReported})`
    return `${isReported === null ? 'toInt64(0)' : `toInt64(countIf(${isCounted}))`} as n_${name}`
  })
  const columns = plan.columns.map((column) => `${columnSql(column, source)} as c_${column}`)
  return `select ${[...columns, `${cohort} as cohort`, `${period} as period`, ...sums, ...counts].join(', ')}, ${SOURCE_SQL[source].rateMissing} as n_rate_missing
from ${sourceFromSql(source, days, params)}
where ${where.join('\n  and ')}
group by ${[...plan.columns.map((column) => `c_${column}`), 'cohort', 'period'].join(', ')}`
}

/** Rows {cohort, g1, cells, sums of the components}. Null when no fact can match. */
function rowsSql(query: CohortQuery, plan: Plan, params: Params): string | null {
  const { selection } = query
  const sources = plan.sources.filter((source) => source !== 'click')
  const selects = sources.map((source) => sourceSql(source, query, plan, params)).filter((sql) => sql !== null)
  if (selects.length === 0) return null
  const [group = "'' as g1"] = groupColumns(selection)
  const sums = COHORT_NUMBERS.map((name) =>
    name === 'rate_missing' ? 'max(facts.n_rate_missing) as rate_missing' : `sum(facts.n_${name}) as ${name}`,
  )
  const cells = `select cohort, ${group}, period, ${sums.join(', ')}
from ${factsSql(selects.join('\nunion all\n'), plan)}
group by cohort, g1, period`
  const filters = filtersSql(query, params)
  // Depositors of a whole row are all players who ever deposited, and each of them has one first deposit.
  const wholes = COHORT_SUMS.map((name) => `sum(cell.${name === 'depositors' ? 'new_deposits' : name}) as ${name}`)
  return `select cohort, g1, groupArray(tuple(period, ${COHORT_NUMBERS.map((name) => `cell.${name}`).join(', ')})) as cells, ${wholes.join(', ')}
from (\n${cells}\n) as cell
group by cohort, g1${filters === null ? '' : `\nhaving ${filters}`}`
}

/** The metric by which rows are sorted and filtered. The cumulative average check is computed by `cohort_check`. */
export const comparedMetric = (key: MetricName, { isCumulative }: CohortQuery): MetricName =>
  key === 'avg_check' && isCumulative ? 'cohort_check' : key

/** The cumulative cost of a deposit is null without spend. */
function comparedSql(key: MetricName, query: CohortQuery): string {
  const sql = metricSql(comparedMetric(key, query), '')
  return key === 'cfd' && query.isCumulative ? `if(player_spend + entered_spend = 0, null, ${sql})` : sql
}

function filtersSql(query: CohortQuery, params: Params): string | null {
  const conditions = query.metricFilters.flatMap(({ key, condition }) =>
    comparisonsSql(comparedSql(key, query), condition, params),
  )
  return conditions.length === 0 ? null : conditions.join(' and ')
}

/** The page as rows [items, cohort, g1, [[period, COHORT_NUMBERS…]…]]. `ranks` is one entry of `LevelRanks`. Null when no fact can match. */
export function compileCohort(query: CohortQuery, plan: Plan, ranks: readonly number[] | null): Statement | null {
  const params = new Params()
  const rows = rowsSql(query, plan, params)
  if (rows === null) return null
  const order = orderSql(query, ranks, params)
  const within = query.limit === ALL ? '' : `\nwhere place between ${pagePlacesSql(query, params, 0)}`
  const sql = `select items, cohort, g1, cells from (
select cohort, g1, cells, row_number() over (order by ${order}) as place, count() over () as items
from (\n${rows}\n)
)${within}
order by place`
  return toStatement(sql, params, query.selection)
}

function orderSql({ sort, ...query }: CohortQuery, ranks: readonly number[] | null, params: Params): string {
  const direction = sort?.desc === true ? 'desc' : 'asc'
  if (sort === null || sort.by === 'cohort') return `cohort ${direction}, cohort_players desc, g1`
  if (sort.by === 'group')
    return `${groupOrderSql('g1', query.selection.levels[0], ranks, params)} ${direction}, g1, cohort`
  return `${comparedSql(sort.by, { ...query, sort })} ${direction} nulls last, cohort, g1`
}

/** For totals over all pages: rows [cohort, groups with players, [[periods], [sums]] of each of COHORT_NUMBERS]. Null when no fact can match. */
export function compileCohortTotals(query: CohortQuery, plan: Plan): Statement | null {
  const params = new Params()
  const rows = rowsSql(query, plan, params)
  if (rows === null) return null
  const sums = COHORT_NUMBERS.map(
    (_, place) => `sumMap(arrayMap(cell -> cell.1, cells), arrayMap(cell -> toInt64(cell.${place + 2}), cells))`,
  )
  return toStatement(
    `select cohort, countIf(cohort_players > 0), ${sums.join(', ')} from (\n${rows}\n) group by cohort order by cohort`,
    params,
    query.selection,
  )
}
