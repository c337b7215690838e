// How many players the report is about, where the activity leaves out some of a player's days and the first of them cannot be told by itself.
import { factsSql, finish, groupsSql, passingSql } from './compile.ts'
import { datesAt, periodFlags, whereSql } from './compile-source.ts'
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

/** Whether the rows that conditions on numbers speak of are, among other things, stretches of days. */
export const areRowsDates = (question: Question): boolean =>
  question.limits.length > 0 && datesAt(question, question.isFlat ? question.levels.length : 1).length > 0

/** [players of the first period, those of each period who bet], each once, over the rows that meet the conditions on numbers. Null when there can be none. */
export function compilePassingPlayers(question: Question, plan: Plan): Statement | null {
  const params = new Params()
  const where = whereSql('activity', question, params)
  const passing = passingSql(question, plan, params)
  if (where === null || passing === null) return null
  const flags = question.second === null ? ['1 as in1'] : periodFlags('activity', question, params)
  const columns = plan.columns.map((column) => `${columnSql(column, 'activity')} as c_${column}`)
  const inner = `select ${['player_id', 'bets', ...flags, ...columns].join(', ')} from ${fromSql('activity', question, params)} where ${where.join(' and ')}`
  const bettors = flags.map((_, period) => `uniqExactIf(player_id, bets > 0 and in${period + 1})`)
  const group = question.isFlat ? groupTuple(question) : groupsSql(question)[0]
  const sql = `select ${['uniqExactIf(player_id, in1)', ...bettors].join(', ')} from ${factsSql(inner, plan)} where ${group} in ${passing.groups}`
  return finish(sql, params, question)
}
