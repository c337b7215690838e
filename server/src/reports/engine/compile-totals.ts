// Totals that the rows do not tell: of the rows that pass the metric filters, and of players who may lie in several rows.

import { factsSql, groupsSql, groupTuple, keysOf } from './compile-groups.ts'
import { leafSql, placedSql, type RowStatement, treeSql } from './compile-rows.ts'
import { compileUnion, datesAt, periodFlags, whereSql } from './compile-source.ts'
import { columnSql } from './condition.ts'
import { fromSql } from './fact-source.ts'
import { metricFiltersSql } from './metric-filters.ts'
import { Params, type Statement, toStatement } from './params.ts'
import { givesComponent, type Plan } from './plan.ts'
import type { ReportQuery } from './query.ts'
import { namedSql, rowNames, rowSql } from './row-layout.ts'

/** The levels that metric filters choose rows of: the first one of a tree, all of a flat report. */
const filteredDepth = ({ isFlat, levels }: ReportQuery): number => (isFlat ? levels.length : 1)

/** The groups that pass the metric filters, as a sub-select. Null without filters or levels, or when no fact can match. */
function passingGroupsSql(query: ReportQuery, plan: Plan, params: Params): string | null {
  const filters = metricFiltersSql(query, params)
  const union = compileUnion(query, plan, params)
  if (filters === null || union === null || query.levels.length === 0) return null
  const depth = filteredDepth(query)
  const group = query.isFlat ? `tuple(${keysOf(query).join(', ')})` : 'g1'
  const tree = treeSql(query, plan, union, { depth })
  return `(\n${namedSql(plan, query)}\nselect ${group} from (\n${tree}\n) where level = ${depth} and ${filters}\n)`
}

/** Whether a fact stands in a row that passes the metric filters, over the columns of `factsSql`. Null as of `passingGroupsSql`. */
export function passesSql(query: ReportQuery, plan: Plan, params: Params): string | null {
  const groups = passingGroupsSql(query, plan, params)
  return groups === null ? null : `${query.isFlat ? groupTuple(query) : groupsSql(query)[0]} in ${groups}`
}

/** The total of the rows that pass the metric filters. Null where there are no filters, or no rows to filter. */
export function compileFilteredTotal(query: ReportQuery, plan: Plan): RowStatement | null {
  const params = new Params()
  const groups = passingGroupsSql(query, plan, params)
  const union = compileUnion(query, plan, params)
  if (groups === null || union === null) return null
  const row = rowSql(plan, query, {
    entered: (name) => placedSql(name, plan),
    cut: (at) => at(0),
    lostSpends: 'toInt64(0)',
  })
  const group = query.isFlat ? `tuple(${keysOf(query).join(', ')})` : 'g1'
  const sums = `select ${row} as n\nfrom (\n${leafSql(query, plan, union)}\n) as leaf\nwhere ${group} in ${groups}`
  const sql = `select 0 as items, [tuple(toUInt8(0), n)] as tree\nfrom (\n${sums}\n)`
  return { ...toStatement(sql, params, query), layout: { levels: [], isFlat: false, names: rowNames(plan, query) } }
}

/** The total counts a player at the first of their days: not where the activity, or a metric filter on dates, may leave that day out. */
export const needsPlayerCount = (query: ReportQuery): boolean =>
  query.activity === 'deposits' ||
  query.activity === 'registrations' ||
  (query.metricFilters.length > 0 && datesAt(query, filteredDepth(query)).length > 0)

/**
 * One row [players of the first period, players who bet of each period], of the rows that pass the metric filters. Null where the total
 * tells it, or no player can match.
 */
export function compilePlayerCount(query: ReportQuery, plan: Plan): Statement | null {
  const params = new Params()
  const where = needsPlayerCount(query) ? whereSql('activity', query, params) : null
  if (where === null) return null
  const flags = query.second === null ? ['1 as in1'] : periodFlags('activity', query, params)
  const passes = passesSql(query, plan, params)
  const columns = passes === null ? [] : plan.columns.map((column) => `${columnSql(column, 'activity')} as c_${column}`)
  const inner = `select ${['player_id', 'bets', ...flags, ...columns].join(', ')} from ${fromSql('activity', query, params)} where ${where.join(' and ')}`
  const isGiven = givesComponent('activity', 'bettors', query)
  const counts = [
    'uniqExactIf(player_id, in1)',
    // An activity may leave bets out.
    ...flags.map((_, period) => (isGiven ? `uniqExactIf(player_id, bets > 0 and in${period + 1})` : '0')),
  ]
  const from = passes === null ? `(${inner})` : `${factsSql(inner, plan)} where ${passes}`
  return toStatement(`select ${counts.join(', ')} from ${from}`, params, query)
}
