// The total of the rows that meet conditions on numbers, and the players of a report where its total does not know them.

import type { Settings } from '../../clickhouse/statement.ts'
import { compileLimitedTotal } from './compile.ts'
import { compilePlayerCount, needsPlayerCount } from './compile-player-count.ts'
import type { Derive, Whole } from './derive.ts'
import type { Plan } from './plan.ts'
import type { Question } from './query.ts'
import { readTree, toWhole } from './read-rows.ts'
import { numbersOf, suffixesOf } from './row-layout.ts'
import type { Run } from './run-statement.ts'

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
  const counted = await countPlayers(question, plan, run, more)
  if (counted === null) return { total, players }
  const bettors = new Map(suffixesOf(question).map((suffix, period) => [`bettors${suffix}`, counted.bettors[period]]))
  return { total: total.map((number, place) => bettors.get(names[place] ?? '') ?? number), players: counted.players }
}

interface Players {
  readonly players: number
  /** Of each period. */
  readonly bettors: readonly Whole[]
}

/** Null when the total of the report knows them. */
export async function countPlayers(question: Question, plan: Plan, run: Run, more?: Settings): Promise<Players | null> {
  if (!needsPlayerCount(question)) return null
  const statement = compilePlayerCount(question, plan)
  if (statement === null) return { players: 0, bettors: [] }
  const [players = 0, ...bettors] = await run(statement, ([row = []]) => row.map(toWhole), more)
  return { players: Number(players), bettors }
}
