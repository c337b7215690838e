// Compiles the rows of all levels to one stream in the order of the screen: each group precedes those inside it. ClickHouse sorts, on disk if
// needed, so that neither it nor Node holds the whole report in memory.
import { levelNames } from '../engine/compile-groups.ts'
import { treeSql } from '../engine/compile-rows.ts'
import { compileUnion } from '../engine/compile-source.ts'
import { metricFiltersSql } from '../engine/metric-filters.ts'
import { flatOrderSql, sortSql } from '../engine/order.ts'
import { Params, type Statement, toStatement } from '../engine/params.ts'
import type { Plan } from '../engine/plan.ts'
import type { ReportQuery } from '../engine/query.ts'
import { numberNamesSql } from '../engine/row-layout.ts'
import type { LevelRanks } from '../engine/titles.ts'

export interface ExportStatements {
  /** Rows {level, g1…, n: numbers in the order of `rowNames`}. Without metric filters the total (level 0) comes last. */
  readonly rows: Statement
  /** One number: the count of rows without the total. */
  readonly count: Statement
}

/** Null when no fact can match, or the report has no levels. */
export function compileExport(query: ReportQuery, plan: Plan, ranks: LevelRanks): ExportStatements | null {
  const params = new Params()
  const union = compileUnion(query, plan, params)
  if (union === null || query.levels.length === 0) return null
  const keys = levelNames(query)
  const filters = metricFiltersSql(query, params)
  // Levels are grouped one by one, because grouping all at once would have to fit in memory.
  const tree = treeSql(query, plan, union, { depth: keys.length, mode: query.isFlat ? 'total' : 'sets' })
  const { columns, order } = query.isFlat
    ? { columns: [], order: flatOrderSql(query, ranks, params) }
    : orderTree(query, ranks, params)
  // In a tree, a first-level group that passes keeps all groups inside it.
  const filterSql = filters === null ? null : query.isFlat ? filters : 'is_passing'
  const passing =
    filterSql === 'is_passing' ? [`max(level = 1 and ${filters}) over (partition by g1) as is_passing`] : []
  const named = numberNamesSql(plan, query)
  const shown = ['level', ...keys, 'n']
  const rowLevels = query.isFlat ? `level = ${keys.length}` : 'level > 0'
  const within = (levels: string): string =>
    `from (\n${named}\nselect ${[...shown, ...columns, ...passing].join(', ')} from (\n${tree}\n)\nwhere ${levels}\n)${filterSql === null ? '' : `\nwhere ${filterSql}`}`
  return {
    rows: toStatement(
      `${named}\nselect ${shown.join(', ')} ${within(filters === null ? `${rowLevels} or level = 0` : rowLevels)}\norder by level = 0, ${order}`,
      params,
      query,
    ),
    count: toStatement(
      filterSql === null
        ? `select count() from (\n${tree}\n)\nwhere ${rowLevels}`
        : `${named}\nselect count() ${within(rowLevels)}`,
      params,
      query,
    ),
  }
}

/** Sorts rows of all levels by the sort keys of the groups that contain them. */
function orderTree(query: ReportQuery, ranks: LevelRanks, params: Params): { columns: string[]; order: string } {
  const keys = levelNames(query)
  const columns: string[] = []
  const order = keys.flatMap((group, depth) => {
    const { key, direction, tie, isGroupKey: isOfGroup } = sortSql(query, depth, params, ranks)
    // A key that every row of the group has needs no window function.
    const isOwn = isOfGroup || depth === keys.length - 1
    if (!isOwn) {
      const above = keys.slice(0, depth + 1).join(', ')
      columns.push(`anyIf(${key}, level = ${depth + 1}) over (partition by ${above}) as k${depth + 1}`)
    }
    return [
      ...(depth === 0 ? [] : [`level > ${depth}`]),
      `${isOwn ? key : `k${depth + 1}`} ${direction} nulls last`,
      `${group} ${tie}`,
    ]
  })
  return { columns, order: order.join(', ') }
}
