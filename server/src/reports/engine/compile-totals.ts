// Compiles totals that the statement of the rows cannot return: of rows that pass the metric filters, and of players in several rows.

import { factsSql, groupsSql, groupTuple, levelNames } from './compile-groups.ts'
import { carriedSpendSql, leafSql, type RowStatement, treeSql } from './compile-rows.ts'
import { compileUnion, dateLevels, periodFlags, whereSql } from './compile-source.ts'
import { columnSql } from './condition.ts'
import { fromSql } from './fact-source.ts'
import { metricFiltersSql } from './metric-filters.ts'
import { Params, type Statement, toStatement } from './params.ts'
import { givesComponent, type Plan } from './plan.ts'
import type { ReportQuery } from './query.ts'
import { numberNamesSql, rowNames, rowSql } from './row-layout.ts'

/** How many levels the filtered rows have: one in a tree, all in a flat report. */
const filteredDepth = ({ isFlat, levels }: ReportQuery): number => (isFlat ? levels.length : 1)

/** A sub-select of the groups that pass the metric filters. Null without filters or levels, or when no fact can match. */
function passingGroupsSql(query: ReportQuery, plan: Plan, params: Params): string | null {
  const filters = metricFiltersSql(query, params)
  const union = compileUnion(query, plan, params)
  if (filters === null || union === null || query.levels.length === 0) return null
  const depth = filteredDepth(query)
  const group = query.isFlat ? `tuple(${levelNames(query).join(', ')})` : 'g1'
  const tree = treeSql(query, plan, union, { depth })
  return `(\n${numberNamesSql(plan, query)}\nselect ${group} from (\n${tree}\n) where level = ${depth} and ${filters}\n)`
}

/** SQL condition over `factsSql`: the fact belongs to a row that passes the metric filters. Null in the cases of `passingGroupsSql`. */
export function passesFiltersSql(query: ReportQuery, plan: Plan, params: Params): string | null {
  const groups = passingGroupsSql(query, plan, params)
  return groups === null ? null : `${query.isFlat ? groupTuple(query) : groupsSql(query)[0]} in ${groups}`
}

/** The total of the rows that pass the metric filters. Null in the cases of `passingGroupsSql`. */
export function compileFilteredTotal(query: ReportQuery, plan: Plan): RowStatement | null {
  const params = new Params()
  const groups = passingGroupsSql(query, plan, params)
  const union = compileUnion(query, plan, params)
  if (groups === null || union === null) return null
  const row = rowSql(plan, query, {
    enteredSpend: (name) => carriedSpendSql(name, query, plan),
    distinct: (at) => at(0),
    unallocatedCount: 'toInt64(0)',
  })
  const group = query.isFlat ? `tuple(${levelNames(query).join(', ')})` : 'g1'
  const sums = `select ${row} as n\nfrom (\n${leafSql(query, plan, union)}\n) as leaf\nwhere ${group} in ${groups}`
  const sql = `select 0 as items, [tuple(toUInt8(0), n)] as tree\nfrom (\n${sums}\n)`
  return { ...toStatement(sql, params, query), layout: { levels: [], isFlat: false, names: rowNames(plan, query) } }
}

/** The total counts a player on their first day. A separate count is needed if the activity, or a filter on dates, can omit that day. */
export const needsPlayerCount = (query: ReportQuery): boolean =>
  query.activity === 'deposits' ||
  query.activity === 'registrations' ||
  (query.metricFilters.length > 0 && dateLevels(query, filteredDepth(query)).length > 0)

/**
 * One row [players of the first period, bettors of each period] over the rows that pass the metric filters. Null if the total already has the
 * count, or no player can match.
 */
export function compilePlayerCount(query: ReportQuery, plan: Plan): Statement | null {
  const params = new Params()
  const where = needsPlayerCount(query) ? whereSql('activity', query, params) : null
  if (where === null) return null
  const flags = query.second === null ? ['1 as in1'] : periodFlags('activity', query, params)
  const passes = passesFiltersSql(query, plan, params)
  const columns = passes === null ? [] : plan.columns.map((column) => `${columnSql(column, 'activity')} as c_${column}`)
  const inner = `select ${['player_id', 'bets', ...flags, ...columns].join(', ')} from ${fromSql('activity', query, params)} where ${where.join(' and ')}`
  const isGiven = givesComponent('activity', 'bettors', query)
  const counts = [
    'uniqExactIf(player_id, in1)',
    // The activity may exclude bets.
    ...flags.map((_, period) => (isGiven ? `uniqExactIf(player_id, bets > 0 and in${period + 1})` : '0')),
  ]
  const from = passes === null ? `(${inner})` : `${factsSql(inner, plan)} where ${passes}`
  return toStatement(`select ${counts.join(', ')} from ${from}`, params, query)
}
