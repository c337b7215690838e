// A report as one statement: sources → groups of the innermost level → all levels and the total → the page, its children whole.
import { ALL } from '@tributary/contract/limits'
import { columnOf } from '../model/column.ts'
import { dimensionSql } from '../model/dimension.ts'
import { mapOf } from '../model/map.ts'
import { compileUnion, datesAt } from './compile-source.ts'
import { pairSql } from './condition.ts'
import { limitsSql, pageSql, placesSql, sortSql } from './order.ts'
import { Params, type Statement } from './params.ts'
import type { Plan } from './plan.ts'
import type { Question, Selection } from './query.ts'
import { enteredNames, namedSql, rowSql, suffixesOf } from './row-layout.ts'

/** Settings that make FINAL cheap: keys of facts never cross partitions. */
export const REPORT_SETTINGS = { do_not_merge_across_partitions_select_final: 1 } as const

const keyOf = (index: number): string => `g${index + 1}`
export const keysOf = (selection: Selection): string[] => selection.levels.map((_, index) => keyOf(index))

/** The expression of a level over the columns of the union and its maps. */
function levelSql(selection: Selection, index: number): string {
  const level = selection.levels[index]
  if (level === undefined) return "''"
  const sql = dimensionSql(level)
  if (sql.kind === 'pair') return pairSql(`toString(c_${sql.columns[0]})`, `toString(c_${sql.columns[1]})`)
  if (sql.kind === 'mapped') return `m_${sql.map}.${sql.field}`
  return columnOf(sql.column).isLowCardinality === true ? `toString(c_${sql.column})` : `c_${sql.column}`
}

/** Facts with their groups: what `leafSql` and the search for spend without a place read. */
export function factsSql(union: string, plan: Plan): string {
  const joins = plan.maps.map((name) => {
    const { table, keys } = mapOf(name)
    const on = keys.map(([fact, own]) => `facts.c_${fact} = m_${name}.${own}`).join(' and ')
    return `\nleft any join (select * from ${table} final where is_deleted = 0) as m_${name} on ${on}`
  })
  return `(\n${union}\n) as facts${joins.join('')}`
}

/** The group of a fact at each level, over the columns of `factsSql`. */
export const groupsSql = (selection: Selection): string[] =>
  selection.levels.map((_, index) => levelSql(selection, index))

export const groupColumns = (selection: Selection): string[] =>
  groupsSql(selection).map((group, index) => `${group} as ${keyOf(index)}`)

/** One row for each group of the innermost level. */
function leafSql(selection: Selection, plan: Plan, union: string): string {
  const keys = keysOf(selection)
  const columns = [
    ...groupColumns(selection),
    ...suffixesOf(selection).map((suffix) => `${addSql('sumForEach', 'n', suffix, selection)} as n${suffix}`),
    ...enteredNames(plan, selection).map(
      (name) => `${addSql('sum', 'n_entered_spend', name.endsWith('_2') ? '_2' : '', selection)} as ${name}`,
    ),
    'sum(facts.n_traffic) as all_traffic',
    'max(facts.n_rate_missing) as rate_missing',
  ]
  return `select ${columns.join(', ')}\nfrom ${factsSql(union, plan)}${keys.length > 0 ? `\ngroup by ${keys.join(', ')}` : ''}`
}

function addSql(sum: string, column: string, suffix: '' | '_2', selection: Selection): string {
  if (selection.second === null) return `${sum}(facts.${column})`
  return `${sum}If(facts.${column}, ${suffix === '' ? 'in1' : 'in2'})`
}

const placedSql = (name: string, plan: Plan): string =>
  plan.isSpendPlaceable ? `sumIf(leaf.${name}, all_traffic > 0)` : 'toInt64(0)'

/** Entered spend of all levels: only where a group carries it. */
const enteredAt = (name: string, selection: Selection, plan: Plan): string =>
  selection.levels.length === 0 ? `sum(leaf.${name})` : `if(level = 0, sum(leaf.${name}), ${placedSql(name, plan)})`

/** At each level the players of its own stretch of days; `at` gives those of so many cuts. */
function cutAt(at: (cuts: number) => string, selection: Selection): string {
  const own = (depth: number): string => at(datesAt(selection, depth).length)
  const { levels } = selection
  return `multiIf(${levels.map((_, depth) => `level = ${depth}, ${own(depth)}`).join(', ')}, ${own(levels.length)})`
}

/** Whether an innermost group has spend that it cannot carry. */
function isLostSql(selection: Selection, plan: Plan): string | null {
  if (selection.levels.length === 0 || !plan.parts.includes('entered_spend')) return null
  const some = suffixesOf(selection).map((suffix) => `leaf.entered_spend${suffix} != 0`)
  return `(${some.join(' or ')})${plan.isSpendPlaceable ? ' and all_traffic <= 0' : ''}`
}

/** So many of those groups are named with the total; where there are more, or none can carry any, they are found by a statement. */
const NAMED_LOST_GROUPS = 1000

function lostGroupsSql(selection: Selection, plan: Plan, isLost: string | null): string {
  const group = `tuple(${keysOf(selection)
    .map((key) => `leaf.${key}`)
    .join(', ')})`
  if (isLost === null || !plan.isSpendPlaceable) return '[]'
  return `groupUniqArrayIf(${NAMED_LOST_GROUPS})(${group}, ${isLost})`
}

/** Most innermost groups that one answer is made of: what is larger is refused by the engine before it fills the memory. */
export const LEAVES_CAP = 200_000

/** How the levels above are summed up: all at once, in memory; each by itself, on disk where it must be; of those the total alone; or none. */
type Above = 'rollup' | 'sets' | 'total' | 'none'

function groupingOf(keys: readonly string[], above: Above): string {
  if (above === 'none') return keys.join(', ')
  if (above === 'rollup') return `${keys.join(', ')} with rollup`
  const sets = above === 'total' ? [keys, []] : [...keys.map((_, index) => keys.slice(0, keys.length - index)), []]
  return `grouping sets (${sets.map((set) => `(${set.join(', ')})`).join(', ')})`
}

/**
 * Rows of all levels down to `depth`, and the total (level 0). Without levels only the total. A bot's group, which has facts but
 * shows nothing, makes no row. `cap`: most innermost groups; null = however many.
 */
export function treeSql(
  selection: Selection,
  plan: Plan,
  union: string,
  depth: number,
  cap: number | null = null,
  above: Above = 'rollup',
): string {
  const keys = keysOf(selection).slice(0, depth)
  const level =
    keys.length === 0 || above === 'none'
      ? `toUInt8(${keys.length})`
      : `toUInt8(${keys.length} - bitCount(grouping(${keys.join(', ')})))`
  const isLost = isLostSql(selection, plan)
  const row = rowSql(plan, selection, {
    entered: (name) => enteredAt(name, selection, plan),
    cut: (at) => cutAt(at, selection),
    lostSpends: `toInt64(${isLost === null ? '0' : `countIf(${isLost})`})`,
  })
  const columns = [
    ...keys,
    `${level} as level`,
    `${row} as n`,
    `${lostGroupsSql(selection, plan, isLost)} as lost_groups`,
  ]
  return `select ${columns.join(', ')}
from (\n${leafSql(selection, plan, union)}${cap === null ? '' : `\nlimit ${cap + 1}`}\n) as leaf${keys.length > 0 ? `\ngroup by ${groupingOf(keys, above)}` : ''}
having ${cap === null ? '' : `throwIf(count() > ${cap}, 'too many groups') = 0 and (`}sum(all_traffic) > 0 or level = 0${cap === null ? '' : ')'}`
}

/**
 * The page: rows [items, tree, lost_groups], the total first, then the first-level rows of the page (all of them: items is 0). `tree` holds
 * the row itself and all rows below it down to `depth`, each as [level, g1…, [numbers…]]. Null when no fact can be meant. Fails as too large
 * with more innermost groups than one answer holds, unless only first-level rows are asked for.
 */
export function compilePage(
  question: Question,
  plan: Plan,
  depth: number,
  ranks: readonly number[] | null,
): Statement | null {
  const params = new Params()
  const union = compileUnion(question, plan, params)
  if (union === null) return null
  const tree = treeSql(question, plan, union, depth, depth > 1 ? LEAVES_CAP : null)
  const keys = keysOf(question).slice(0, depth)
  const row = `tuple(${['level', ...keys, 'n'].join(', ')})`
  if (depth === 0)
    return finish(`select 0 as items, [${row}] as tree, [] as lost_groups\nfrom (\n${tree}\n)`, params, question)
  const limits = limitsSql(question, params)
  const sort = sortSql(question, params, ranks)
  const first = `${namedSql(plan, question)}\nselect level = 0 as is_total, g1, groupArray(${row}) as tree, anyIf(${sort.key}, level = 1) as sort_key,
  anyIf(lost_groups, level = 0) as lost_groups
from (\n${tree}\n)
group by is_total, g1${limits === null ? '' : `\nhaving is_total or max(level = 1 and ${limits})`}`
  const order = `is_total desc, sort_key ${sort.direction} nulls last, g1 ${sort.tie}`
  if (question.limit === ALL)
    return finish(`select 0 as items, tree, lost_groups from (\n${first}\n)\norder by ${order}`, params, question)
  const places = placesSql(question, params, 1)
  const sql = `select items, tree, lost_groups from (
select tree, lost_groups, row_number() over (order by ${order}) as place, count() over () - 1 as items
from (\n${first}\n)
)
where place = 1 or place between ${places}
order by place`
  return finish(sql, params, question)
}

/** Rows of very many groups: the page, how many there are, and their total. */
export interface PageStatements {
  readonly page: Statement
  readonly items: Statement
  readonly total: Statement | null
}

/**
 * First-level rows alone, as `compilePage` has them, without conditions on numbers. Only the rows of the page are ever ordered, so that
 * millions of groups fit.
 */
export function compileTop(question: Question, plan: Plan, ranks: readonly number[] | null): PageStatements | null {
  const params = new Params()
  const union = compileUnion(question, plan, params)
  if (union === null) return null
  const tree = treeSql(question, plan, union, 1, null, 'none')
  const items = finish(`select count() from (\n${tree}\n)`, params, question)
  const paged = new Params(params)
  const sort = sortSql(question, paged, ranks)
  const within = pageSql(question, paged)
  const sql = `${namedSql(plan, question)}
select 0 as items, [tuple(level, g1, n)] as tree, [] as lost_groups
from (\n${tree}\n)
order by ${sort.key} ${sort.direction} nulls last, g1 ${sort.tie}${within}`
  return { page: finish(sql, paged, question), items, total: compilePage(question, plan, 0, null) }
}

/** The groups of the rows that the conditions on numbers speak of, and those of them that meet the conditions. */
export interface PassingSql {
  readonly group: string
  readonly groups: string
}

/** Null when there are no conditions, or nothing to meet them. */
export function passingSql(question: Question, plan: Plan, params: Params): PassingSql | null {
  const limits = limitsSql(question, params)
  const union = compileUnion(question, plan, params)
  if (limits === null || union === null || question.levels.length === 0) return null
  const depth = question.isFlat ? question.levels.length : 1
  const group = question.isFlat ? `tuple(${keysOf(question).join(', ')})` : 'g1'
  const tree = treeSql(question, plan, union, depth)
  return {
    group,
    groups: `(\n${namedSql(plan, question)}\nselect ${group} from (\n${tree}\n) where level = ${depth} and ${limits}\n)`,
  }
}

/** The total of the rows that meet the conditions, computed at its own grain: [level, [numbers…]]. Null without conditions. */
export function compileLimitedTotal(question: Question, plan: Plan): Statement | null {
  const params = new Params()
  const passing = passingSql(question, plan, params)
  const union = compileUnion(question, plan, params)
  if (passing === null || union === null) return null
  const row = rowSql(plan, question, {
    entered: (name) => placedSql(name, plan),
    cut: (at) => at(0),
    lostSpends: 'toInt64(0)',
  })
  const sums = `select ${row} as n\nfrom (\n${leafSql(question, plan, union)}\n) as leaf\nwhere ${passing.group} in ${passing.groups}`
  return finish(`select 0 as items, [tuple(toUInt8(0), n)] as tree\nfrom (\n${sums}\n)`, params, question)
}

/** Adds the lists that some columns name. */
export function finish(sql: string, params: Params, selection: Selection): Statement {
  if (sql.includes('{country_codes:')) {
    params.named('country_codes', 'Array(String)', selection.countries.codes)
    params.named('country_ids', 'Array(UInt32)', selection.countries.ids)
  }
  return { sql, params: params.values }
}
