// How many players the report is about, where the activity leaves out some of a player's days and the first of them cannot be told by itself.
import { factsSql, finish, passingSql } from './compile.ts'
import { whereSql } from './compile-source.ts'
import { columnSql } from './condition.ts'
import { Params, type Statement } from './params.ts'
import type { Plan } from './plan.ts'
import type { Question } from './question.ts'
import { fromSql } from './source.ts'
import { groupTuple } from './traffic-groups.ts'

/** False when the report's own total knows it. */
export const needsPlayerCount = ({ activity }: Question): boolean =>
  activity === 'deposits' || activity === 'registrations'

/** Null when there can be none. With a plan, only those of the rows that meet the conditions on numbers. */
export function compilePlayerCount(question: Question, plan?: Plan): Statement | null {
  const params = new Params()
  const selection = { ...question, second: null }
  const where = whereSql('activity', selection, params)
  if (where === null) return null
  const from = fromSql('activity', selection, params)
  const passing = plan === undefined ? null : passingSql(question, plan, params)
  if (plan === undefined || passing === null)
    return finish(`select uniqExact(player_id) from ${from} where ${where.join(' and ')}`, params, question)
  const columns = plan.columns.map((column) => `${columnSql(column, 'activity')} as c_${column}`)
  const inner = `select ${['player_id', ...columns].join(', ')} from ${from} where ${where.join(' and ')}`
  const sql = `select uniqExact(player_id) from ${factsSql(inner, plan)} where ${groupTuple(question)} in ${passing.groups}`
  return finish(sql, params, question)
}
