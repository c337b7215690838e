// Compiles the rows of a report: innermost groups → all levels and the total → the rows of the page, as a tree or flat.
import { ALL } from '@tributary/contract/limits'
import { factsSql, groupColumns, levelNames } from './compile-groups.ts'
import { compileUnion, dateLevels } from './compile-source.ts'
import { metricFiltersSql } from './metric-filters.ts'
import { flatOrderSql, limitSql, pagePlacesSql, sortSql } from './order.ts'
import { Params, type Statement, toStatement } from './params.ts'
import { type Plan, placelessColumns } from './plan.ts'
import type { ReportQuery, Selection } from './query.ts'
import {
  enteredNames,
  incomeCountNames,
  numberNamesSql,
  type RowLayout,
  rowNames,
  rowSql,
  suffixesOf,
} from './row-layout.ts'
import type { LevelRanks } from './titles.ts'

/** A statement whose result rows are [items, rows of the report, groups with unallocated spend]. */
export interface RowStatement extends Statement {
  readonly layout: RowLayout
}

/** Three statements for reports with too many groups for one: the rows of the page, the number of rows, and the total. */
export interface PageStatements {
  readonly page: RowStatement
  /** Null if `page` returns the number of rows and the total. */
  readonly items: Statement | null
  readonly total: RowStatement | null
}

/** The maximum of innermost groups in one answer. ClickHouse rejects more before they fill its memory. */
const MAX_LEAF_GROUPS = 200_000
/** Stops grouping early. Valid only without maps: with maps, the groups of facts may far outnumber those of the report. */
const STOP_EARLY_SETTINGS = { max_rows_to_group_by: 5 * MAX_LEAF_GROUPS, group_by_overflow_mode: 'throw' } as const

function toRowStatement(
  sql: string,
  params: Params,
  query: ReportQuery,
  plan: Plan,
  { depth, isFlat = false, isBounded = false }: { depth: number; isFlat?: boolean; isBounded?: boolean },
): RowStatement {
  const layout = { levels: query.levels.slice(0, depth), isFlat, names: rowNames(plan, query) }
  const settings = isBounded && depth > 1 && plan.maps.length === 0 ? { settings: STOP_EARLY_SETTINGS } : {}
  return { ...toStatement(sql, params, query), ...settings, layout }
}

/** One row for each group of the innermost level. */
export function leafSql(selection: Selection, plan: Plan, union: string): string {
  const keys = levelNames(selection)
  const columns = [
    ...groupColumns(selection),
    ...suffixesOf(selection).map((suffix) => `${sumSql('sumForEach', 'n', suffix, selection)} as n${suffix}`),
    ...enteredNames(plan, selection).flatMap((name) => {
      const suffix = name.endsWith('_2') ? '_2' : ''
      const placeless = hasPlacelessSpend(selection, plan)
        ? [`${sumSql('sum', 'n_placeless_spend', suffix, selection)} as placeless_spend${suffix}`]
        : []
      return [`${sumSql('sum', 'n_entered_spend', suffix, selection)} as ${name}`, ...placeless]
    }),
    ...incomeCountNames(plan, selection).map((name) => {
      const suffix = name.endsWith('_2') ? '_2' : ''
      return `${sumSql('sum', `n_${name.replace('_2', '')}`, suffix, selection)} as ${name}`
    }),
    'sum(facts.n_traffic) as all_traffic',
    'max(facts.n_rate_missing) as rate_missing',
  ]
  return `select ${columns.join(', ')}\nfrom ${factsSql(union, plan)}${keys.length > 0 ? `\ngroup by ${keys.join(', ')}` : ''}`
}

function sumSql(sum: string, column: string, suffix: '' | '_2', selection: Selection): string {
  if (selection.second === null) return `${sum}(facts.${column})`
  return `${sum}If(facts.${column}, ${suffix === '' ? 'in1' : 'in2'})`
}

const hasPlacelessSpend = (selection: Selection, plan: Plan): boolean => placelessColumns(selection, plan).length > 0

/** SQL of the entered spend of an innermost group, without the part that no group carries. */
const placedSpendSql = (name: string, selection: Selection, plan: Plan): string =>
  hasPlacelessSpend(selection, plan) ? `(leaf.${name} - leaf.${name.replace('entered', 'placeless')})` : `leaf.${name}`

/** SQL of the entered spend that a group carries. */
export const carriedSpendSql = (name: string, selection: Selection, plan: Plan): string =>
  plan.isSpendPlaceable ? `sumIf(${placedSpendSql(name, selection, plan)}, all_traffic > 0)` : 'toInt64(0)'

/** SQL of entered spend: all of it in the total, in other rows only what their groups carry. */
const enteredSpendSql = (name: string, selection: Selection, plan: Plan): string =>
  selection.levels.length === 0
    ? `sum(leaf.${name})`
    : `if(level = 0, sum(leaf.${name}), ${carriedSpendSql(name, selection, plan)})`

/** SQL of a distinct component at the level of the row. `sqlOf` returns its SQL if so many date levels cut the period. */
function distinctSql(sqlOf: (dateCount: number) => string, selection: Selection): string {
  const own = (depth: number): string => sqlOf(dateLevels(selection, depth).length)
  const { levels } = selection
  return `multiIf(${levels.map((_, depth) => `level = ${depth}, ${own(depth)}`).join(', ')}, ${own(levels.length)})`
}

const isSomeSql = (sums: readonly string[]): string => `(${sums.map((sum) => `${sum} != 0`).join(' or ')})`

/** SQL condition: an innermost group without traffic has entered spend. Null if that is impossible. */
function isWithoutTrafficSql(selection: Selection, plan: Plan): string | null {
  if (selection.levels.length === 0 || !plan.components.includes('entered_spend')) return null
  const some = isSomeSql(enteredNames(plan, selection).map((name) => placedSpendSql(name, selection, plan)))
  return plan.isSpendPlaceable ? `${some} and all_traffic <= 0` : some
}

/** SQL of the number of innermost groups with spend that they cannot carry. */
function unallocatedCountSql(selection: Selection, plan: Plan, isLost: string | null): string {
  if (isLost === null) return 'toInt64(0)'
  const placeless = suffixesOf(selection).map((suffix) => `leaf.placeless_spend${suffix}`)
  const isEither = hasPlacelessSpend(selection, plan) ? `(${isLost}) or ${isSomeSql(placeless)}` : isLost
  return `toInt64(countIf(${isEither}))`
}

/** At most this many groups without traffic are listed with the total. If there are more, a further statement finds them. */
const MAX_LISTED_GROUPS = 1000

function unallocatedGroupsSql(selection: Selection, plan: Plan, isLost: string | null): string {
  const group = `tuple(${levelNames(selection)
    .map((key) => `leaf.${key}`)
    .join(', ')})`
  if (isLost === null || !plan.isSpendPlaceable) return '[]'
  return `groupUniqArrayIf(${MAX_LISTED_GROUPS})(${group}, ${isLost})`
}

/**
 * How outer levels are rolled up: all at once in memory (`rollup`), each by itself and on disk if needed (`sets`), only the total (`total`),
 * or not at all (`none`).
 */
type RollUpMode = 'rollup' | 'sets' | 'total' | 'none'

function groupingOf(keys: readonly string[], mode: RollUpMode): string {
  if (mode === 'none') return keys.join(', ')
  if (mode === 'rollup') return `${keys.join(', ')} with rollup`
  const sets = mode === 'total' ? [keys, []] : [...keys.map((_, index) => keys.slice(0, keys.length - index)), []]
  return `grouping sets (${sets.map((set) => `(${set.join(', ')})`).join(', ')})`
}

interface TreeShape {
  readonly depth: number
  /** Placeholder of the maximum of innermost groups; absent means unlimited. */
  readonly cap?: string
  readonly mode?: RollUpMode
}

/**
 * Rows {level, g1…, n, lost_groups} of all levels down to `depth`; level 0 is the total, which is the only row without levels. Groups without
 * traffic (apart from bots) are omitted. `union` is the result of `compileUnion`.
 */
export function treeSql(
  selection: Selection,
  plan: Plan,
  union: string,
  { depth, cap, mode = 'rollup' }: TreeShape,
): string {
  const keys = levelNames(selection).slice(0, depth)
  const level =
    keys.length === 0 || mode === 'none'
      ? `toUInt8(${keys.length})`
      : `toUInt8(${keys.length} - bitCount(grouping(${keys.join(', ')})))`
  const isLost = isWithoutTrafficSql(selection, plan)
  const row = rowSql(plan, selection, {
    enteredSpend: (name) => enteredSpendSql(name, selection, plan),
    distinct: (sqlOf) => distinctSql(sqlOf, selection),
    unallocatedCount: unallocatedCountSql(selection, plan, isLost),
  })
  const columns = [
    ...keys,
    `${level} as level`,
    `${row} as n`,
    `${unallocatedGroupsSql(selection, plan, isLost)} as lost_groups`,
  ]
  const isShown = 'sum(all_traffic) > 0 or level = 0'
  return `select ${columns.join(', ')}
from (\n${leafSql(selection, plan, union)}${cap === undefined ? '' : `\nlimit ${cap} + 1`}\n) as leaf${keys.length > 0 ? `\ngroup by ${groupingOf(keys, mode)}` : ''}
having ${cap === undefined ? isShown : `throwIf(count() > ${cap}, 'too many groups') = 0 and (${isShown})`}`
}

/** Limits groups only if inner levels are read; the number of first-level rows is unlimited. */
const capForDepth = (depth: number, params: Params): { cap?: string } =>
  depth > 1 ? { cap: params.bindAs('most_groups', 'UInt64', MAX_LEAF_GROUPS) } : {}

const rowTuple = (keys: readonly string[]): string => `tuple(${['level', ...keys, 'n'].join(', ')})`

/**
 * The page as a tree: the total first, then its first-level rows with all rows below them down to `depth`. Null when no fact can match.
 * ClickHouse rejects it as too large beyond MAX_LEAF_GROUPS innermost groups, unless only first-level rows are read.
 */
export function compileTree(query: ReportQuery, plan: Plan, ranks: LevelRanks, depth: number): RowStatement | null {
  const params = new Params()
  const union = compileUnion(query, plan, params)
  if (union === null) return null
  const tree = treeSql(query, plan, union, { depth, ...capForDepth(depth, params) })
  const row = rowTuple(levelNames(query).slice(0, depth))
  const finish = (sql: string): RowStatement => toRowStatement(sql, params, query, plan, { depth, isBounded: true })
  if (depth === 0) return finish(`select 0 as items, [${row}] as tree, [] as lost_groups\nfrom (\n${tree}\n)`)
  const filters = metricFiltersSql(query, params)
  const sort = sortSql(query, 0, params, ranks)
  const first = `${numberNamesSql(plan, query)}\nselect level = 0 as is_total, g1, groupArray(${row}) as tree, anyIf(${sort.key}, level = 1) as sort_key,
  anyIf(lost_groups, level = 0) as lost_groups
from (\n${tree}\n)
group by is_total, g1${filters === null ? '' : `\nhaving is_total or max(level = 1 and ${filters})`}`
  const order = `is_total desc, sort_key ${sort.direction} nulls last, g1 ${sort.tie}`
  if (query.limit === ALL) return finish(`select 0 as items, tree, lost_groups from (\n${first}\n)\norder by ${order}`)
  return finish(`select items, tree, lost_groups from (
select tree, lost_groups, row_number() over (order by ${order}) as place, count() over () - 1 as items
from (\n${first}\n)
)
where place = 1 or place between ${pagePlacesSql(query, params, 1)}
order by place`)
}

/** First-level rows of a huge level without metric filters. It sorts only the rows of the page, so that millions of groups fit in memory. */
export function compileTop(query: ReportQuery, plan: Plan, ranks: LevelRanks): PageStatements | null {
  const params = new Params()
  const union = compileUnion(query, plan, params)
  if (union === null) return null
  const tree = treeSql(query, plan, union, { depth: 1, mode: 'none' })
  const items = toStatement(`select count() from (\n${tree}\n)`, params, query)
  const paged = new Params(params)
  const sort = sortSql(query, 0, paged, ranks)
  const within = limitSql(query, paged)
  const sql = `${numberNamesSql(plan, query)}
select 0 as items, [tuple(level, g1, n)] as tree, [] as lost_groups
from (\n${tree}\n)
order by ${sort.key} ${sort.direction} nulls last, g1 ${sort.tie}${within}`
  return {
    page: toRowStatement(sql, paged, query, plan, { depth: 1 }),
    items,
    total: compileTree(query, plan, ranks, 0),
  }
}

/** The page as flat rows, the total first. Null when no fact can match. ClickHouse rejects more than MAX_LEAF_GROUPS groups as too large. */
export function compileFlat(query: ReportQuery, plan: Plan, ranks: LevelRanks): RowStatement | null {
  const params = new Params()
  const union = compileUnion(query, plan, params)
  const depth = query.levels.length
  if (union === null || depth === 0) return compileTree(query, plan, ranks, 0)
  const tree = treeSql(query, plan, union, { depth, ...capForDepth(depth, params) })
  const filters = metricFiltersSql(query, params)
  const shown = `level = 0 or (level = ${depth}${filters === null ? '' : ` and ${filters}`})`
  const order = `level = 0 desc, ${flatOrderSql(query, ranks, params)}`
  const numbered = `${numberNamesSql(plan, query)}\nselect ${rowTuple(levelNames(query))} as line, lost_groups, row_number() over (order by ${order}) as place, count() over () - 1 as items
from (\n${tree}\n)
where ${shown}`
  const within = query.limit === ALL ? '' : `\nwhere place = 1 or place between ${pagePlacesSql(query, params, 1)}`
  const sql = `select items, [line] as tree, if(place = 1, lost_groups, []) as lost_groups from (\n${numbered}\n)${within}\norder by place`
  return toRowStatement(sql, params, query, plan, { depth, isFlat: true, isBounded: true })
}

/** Like `compileFlat`, for any number of groups: it sorts only the rows of the page. */
export function compileFlatTop(query: ReportQuery, plan: Plan, ranks: LevelRanks): PageStatements | null {
  const params = new Params()
  const union = compileUnion(query, plan, params)
  if (union === null) return null
  const depth = query.levels.length
  const tree = treeSql(query, plan, union, { depth, mode: 'none' })
  const filters = metricFiltersSql(query, params)
  const rows = `from (\n${tree}\n)${filters === null ? '' : `\nwhere ${filters}`}`
  const named = numberNamesSql(plan, query)
  const items = toStatement(`${named}\nselect count() ${rows}`, params, query)
  const paged = new Params(params)
  const order = flatOrderSql(query, ranks, paged)
  const within = limitSql(query, paged)
  const sql = `${named}\nselect 0 as items, [${rowTuple(levelNames(query))}] as tree, [] as lost_groups ${rows}\norder by ${order}${within}`
  const page = toRowStatement(sql, paged, query, plan, { depth, isFlat: true })
  return { page, items, total: compileTree(query, plan, ranks, 0) }
}
