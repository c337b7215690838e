// The rows of all levels as one stream in the order of the screen: each group before those inside it. The engine sorts, on disk where it must,
// so that neither it nor Node holds the report.
import { finish, keysOf, treeSql } from '../engine/compile.ts'
import { type LevelRanks, orderSql } from '../engine/compile-flat.ts'
import { compileUnion } from '../engine/compile-source.ts'
import { limitsSql, sortLevelSql } from '../engine/order.ts'
import { Params, type Statement } from '../engine/params.ts'
import type { Plan } from '../engine/plan.ts'
import type { Question } from '../engine/query.ts'
import { namedSql } from '../engine/row-layout.ts'

export interface ExportStatements {
  /** Rows {level, g1…, n: [numbers…]}; without conditions on numbers the total (level 0) comes last. */
  readonly rows: Statement
  /** One number, the total apart. */
  readonly count: Statement
}

/** Null when no fact can be meant. */
export function compileExport(question: Question, plan: Plan, ranks: LevelRanks): ExportStatements | null {
  const params = new Params()
  const union = compileUnion(question, plan, params)
  if (union === null || question.levels.length === 0) return null
  const keys = keysOf(question)
  const limits = limitsSql(question, params)
  // Each level is grouped by itself: all of them at once would have to be held in memory.
  const tree = treeSql(question, plan, union, keys.length, null, question.isFlat ? 'total' : 'sets')
  const { columns, order } = question.isFlat
    ? { columns: [], order: orderSql(question, ranks, params) }
    : orderTree(question, ranks, params)
  const isKept = limits === null ? null : question.isFlat ? limits : 'is_passing'
  const passing = isKept === 'is_passing' ? [`max(level = 1 and ${limits}) over (partition by g1) as is_passing`] : []
  const named = namedSql(plan, question)
  const shown = ['level', ...keys, 'n']
  const rowLevels = question.isFlat ? `level = ${keys.length}` : 'level > 0'
  const within = (levels: string): string =>
    `from (\n${named}\nselect ${[...shown, ...columns, ...passing].join(', ')} from (\n${tree}\n)\nwhere ${levels}\n)${isKept === null ? '' : `\nwhere ${isKept}`}`
  return {
    rows: finish(
      `${named}\nselect ${shown.join(', ')} ${within(limits === null ? `${rowLevels} or level = 0` : rowLevels)}\norder by level = 0, ${order}`,
      params,
      question,
    ),
    count: finish(
      isKept === null
        ? `select count() from (\n${tree}\n)\nwhere ${rowLevels}`
        : `${named}\nselect count() ${within(rowLevels)}`,
      params,
      question,
    ),
  }
}

/** Each group before those inside it: rows of all levels by the keys of the groups that they stand in. */
function orderTree(question: Question, ranks: LevelRanks, params: Params): { columns: string[]; order: string } {
  const keys = keysOf(question)
  const columns: string[] = []
  const order = keys.flatMap((group, depth) => {
    const { key, direction, tie, isOfGroup } = sortLevelSql(question, depth, params, ranks[depth] ?? null)
    // What a row knows itself is asked of no other row.
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
