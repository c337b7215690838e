// The rows of all levels as one stream in the order of the screen: each group before those inside it. The engine sorts, on disk where it must,
// so that neither it nor Node holds the report.
import { dimensionOf, isDateDimension } from '@tributary/contract/reports/traffic'
import { finish, keysOf, treeSql } from '../compile.ts'
import { type LevelRanks, orderSql } from '../compile-flat.ts'
import { compileUnion } from '../compile-source.ts'
import { namedSql } from '../numbers.ts'
import { limitsSql, numberSql, sortAt } from '../order.ts'
import { Params, type Statement } from '../params.ts'
import type { Plan } from '../plan.ts'
import type { Question } from '../question.ts'

export interface ExportStatements {
  /** Rows {level, g1…, n: [numbers…]}. */
  readonly rows: Statement
  /** One number. */
  readonly count: Statement
}

/** Null when no fact can be meant. */
export function compileExport(question: Question, plan: Plan, ranks: LevelRanks): ExportStatements | null {
  const params = new Params()
  const union = compileUnion(question, plan, params)
  if (union === null || question.levels.length === 0) return null
  if (question.isFlat) return compileFlatExport(question, plan, ranks, union, params)
  const keys = keysOf(question)
  const tree = treeSql(question, plan, union, keys.length)
  const limits = limitsSql(question, params)
  const orders = keys.map((_, depth) => orderAt(question, depth, params, ranks[depth] ?? null))
  const above = (depth: number): string => keys.slice(0, depth + 1).join(', ')
  const columns = [
    'level',
    ...keys,
    'n',
    ...orders.map(
      ({ key }, depth) => `anyIf(${key}, level = ${depth + 1}) over (partition by ${above(depth)}) as k${depth + 1}`,
    ),
    ...(limits === null ? [] : [`max(level = 1 and ${limits}) over (partition by g1) as is_passing`]),
  ]
  const shown = ['level', ...keys, 'n']
  const within = `from (\n${tree}\n)\nwhere level > 0`
  const chosen = limits === null ? '' : '\nwhere is_passing'
  const order = orders.flatMap(({ direction, tie }, depth) => [
    ...(depth === 0 ? [] : [`level > ${depth}`]),
    `k${depth + 1} ${direction} nulls last`,
    `${keys[depth]} ${tie}`,
  ])
  const named = namedSql(plan, question)
  const ordered = `${named}\nselect ${columns.join(', ')} ${within}`
  const counted = limits === null ? within : `from (\n${ordered}\n)${chosen}`
  return {
    rows: finish(
      `select ${shown.join(', ')} from (\n${ordered}\n)${chosen}\norder by ${order.join(', ')}`,
      params,
      question,
    ),
    count: finish(`select count() ${counted}`, params, question),
  }
}

/** The innermost groups alone, side by side. */
function compileFlatExport(
  question: Question,
  plan: Plan,
  ranks: LevelRanks,
  union: string,
  params: Params,
): ExportStatements {
  const depth = question.levels.length
  const tree = treeSql(question, plan, union, depth)
  const limits = limitsSql(question, params)
  const rows = `from (\n${tree}\n)\nwhere level = ${depth}${limits === null ? '' : ` and ${limits}`}`
  const columns = ['level', ...keysOf(question), 'n']
  const order = orderSql(question, ranks, params)
  const named = namedSql(plan, question)
  return {
    rows: finish(`${named}\nselect ${columns.join(', ')} ${rows}\norder by ${order}`, params, question),
    count: finish(`${named}\nselect count() ${rows}`, params, question),
  }
}

interface Order {
  readonly key: string
  readonly direction: 'asc' | 'desc'
  readonly tie: 'asc' | 'desc'
}

/** The order of one level, as the screen has it: see `orderRows`. */
function orderAt(question: Question, depth: number, params: Params, ranks: readonly number[] | null): Order {
  const level = question.levels[depth]
  const isDate = level !== undefined && isDateDimension(level)
  const group = `g${depth + 1}`
  const { by, desc } = sortAt(question.sort, isDate)
  const direction = desc ? 'desc' : 'asc'
  if (by !== 'group') return { key: numberSql(question, by) ?? '0', direction, tie: 'asc' }
  if (isDate) return { key: group, direction, tie: direction }
  if (ranks === null || ranks.length === 0)
    return {
      key: level !== undefined && dimensionOf(level).entity !== undefined ? group : `lowerUTF8(toString(${group}))`,
      direction,
      tie: direction,
    }
  const places = ranks.map((_, index) => index + 1)
  const lists = `${params.bind('Array(UInt32)', ranks)}, ${params.bind('Array(UInt32)', places)}`
  return { key: `transform(${group}, ${lists}, toUInt32(0))`, direction, tie: direction }
}
