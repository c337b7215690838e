// A report as a flat table: one row for each innermost group, its groups as columns, in one order and cut to the page.
import { ALL } from '@tributary/contract/limits'
import { compilePage, finish, keysOf, LEAVES_CAP, type PageStatements, treeSql } from './compile.ts'
import { compileUnion } from './compile-source.ts'
import { groupOrderSql, limitsSql, numberSql, pageSql, placesSql } from './order.ts'
import { Params, type Statement } from './params.ts'
import type { Plan } from './plan.ts'
import type { Question } from './query.ts'
import { namedSql } from './row-layout.ts'

/** For each level the ids of its entity in the order of their titles; null where groups are texts or dates. */
export type LevelRanks = readonly (readonly number[] | null)[]

/**
 * Rows [items, [[level, g1…, [numbers…]]], lost_groups] as of `compilePage`, each of one group; the total first. Null when no fact can be
 * meant. Fails as too large with more groups than one answer is made of.
 */
export function compileFlat(question: Question, plan: Plan, ranks: LevelRanks): Statement | null {
  const params = new Params()
  const union = compileUnion(question, plan, params)
  if (union === null) return null
  const depth = question.levels.length
  const keys = keysOf(question)
  const tree = treeSql(question, plan, union, depth, depth > 1 ? LEAVES_CAP : null)
  const row = `tuple(${['level', ...keys, 'n'].join(', ')})`
  if (depth === 0)
    return finish(`select 0 as items, [${row}] as tree, [] as lost_groups\nfrom (\n${tree}\n)`, params, question)
  const limits = limitsSql(question, params)
  const kept = `level = 0 or (level = ${depth}${limits === null ? '' : ` and ${limits}`})`
  const order = `level = 0 desc, ${orderSql(question, ranks, params)}`
  const numbered = `${namedSql(plan, question)}\nselect ${row} as line, lost_groups, row_number() over (order by ${order}) as place, count() over () - 1 as items
from (\n${tree}\n)
where ${kept}`
  const within = question.limit === ALL ? '' : `\nwhere place = 1 or place between ${placesSql(question, params, 1)}`
  return finish(
    `select items, [line] as tree, if(place = 1, lost_groups, []) as lost_groups from (\n${numbered}\n)${within}\norder by place`,
    params,
    question,
  )
}

/** As `compileFlat`, of however many groups: only the rows of the page are ever ordered. */
export function compileManyFlat(question: Question, plan: Plan, ranks: LevelRanks): PageStatements | null {
  const params = new Params()
  const union = compileUnion(question, plan, params)
  if (union === null) return null
  const tree = treeSql(question, plan, union, question.levels.length, null, 'none')
  const limits = limitsSql(question, params)
  const rows = `from (\n${tree}\n)${limits === null ? '' : `\nwhere ${limits}`}`
  const named = namedSql(plan, question)
  const items = finish(`${named}\nselect count() ${rows}`, params, question)
  const paged = new Params(params)
  const order = orderSql(question, ranks, paged)
  const within = pageSql(question, paged)
  const row = `tuple(${['level', ...keysOf(question), 'n'].join(', ')})`
  const page = `${named}\nselect 0 as items, [${row}] as tree, [] as lost_groups ${rows}\norder by ${order}${within}`
  return { page: finish(page, paged, question), items, total: compilePage(question, plan, 0, null) }
}

/** By the asked number and then by the groups, or by the groups alone. */
export function orderSql(question: Question, ranks: LevelRanks, params: Params): string {
  const { sort } = question
  const direction = sort?.desc === true ? 'desc' : 'asc'
  if (sort === null || sort.by === 'group') return groupKeys(question, ranks, params, direction).join(', ')
  const number = numberSql(question, sort.by)
  if (number === null) throw new Error(`${sort.by} is not among the metrics of the question`)
  return [`${number} ${direction} nulls last`, ...groupKeys(question, ranks, params, 'asc')].join(', ')
}

function groupKeys(question: Question, ranks: LevelRanks, params: Params, direction: 'asc' | 'desc'): string[] {
  return question.levels.flatMap((level, index) => {
    const own = `g${index + 1}`
    const key = groupOrderSql(own, level, ranks[index] ?? null, params)
    return (key === own ? [own] : [key, own]).map((sql) => `${sql} ${direction}`)
  })
}
