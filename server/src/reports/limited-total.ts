// The total of the rows that meet conditions on numbers. Where those rows are dates, a player's first day in the period may lie in a row that is
// left out: then players are counted over the rows that are left.

import type { Settings } from '../clickhouse/statement.ts'
import { compileLimitedTotal } from './compile.ts'
import { areRowsDates, compilePassingPlayers } from './compile-player-count.ts'
import type { Derive, Whole } from './derive.ts'
import { numbersOf, suffixesOf } from './numbers.ts'
import type { Plan } from './plan.ts'
import type { Question } from './question.ts'
import type { Run } from './run.ts'
import { readTree, toWhole } from './tree.ts'

export interface LimitedTotal {
  /** In the order of `numbersOf`. */
  readonly total: readonly Whole[]
  readonly players: number
}

/** Null without conditions. One statement after the other: each may gather as many groups as the report has. */
export async function readLimitedTotal(
  question: Question,
  plan: Plan,
  run: Run,
  derive: Derive,
  more?: Settings,
): Promise<LimitedTotal | null> {
  const statement = compileLimitedTotal(question, plan)
  if (statement === null) return null
  const names = numbersOf(plan, question)
  const { total, players } = await run(statement, (rows) => readTree(rows, 0, names.length, derive), more)
  const counting = areRowsDates(question) ? compilePassingPlayers(question, plan) : null
  if (counting === null) return { total, players }
  const [distinct = 0, ...bettors] = await run(counting, ([row = []]) => row.map(toWhole), more)
  const counted = new Map(suffixesOf(question).map((suffix, period) => [`bettors${suffix}`, bettors[period] ?? 0]))
  return { total: total.map((number, place) => counted.get(names[place] ?? '') ?? number), players: Number(distinct) }
}
