// Players of a report, each counted once, where the first of a player's days does not tell it: the activity may leave that day out, or it lies in a
// row that conditions on numbers leave out.
import { factsSql, finish, groupsSql, passingSql } from './compile.ts'
import { datesAt, periodFlags, whereSql } from './compile-source.ts'
import { columnSql } from './condition.ts'
import { fromSql } from './fact-source.ts'
import { Params, type Statement } from './params.ts'
import { givesPart, type Plan } from './plan.ts'
import type { Question } from './query.ts'
import { groupTuple } from './traffic-groups.ts'

/** Whether the rows that conditions on numbers speak of are, among other things, stretches of days. */
const areRowsDates = (question: Question): boolean =>
  question.limits.length > 0 && datesAt(question, question.isFlat ? question.levels.length : 1).length > 0

/** False when the report's own total knows it. */
export const needsPlayerCount = (question: Question): boolean =>
  question.activity === 'deposits' || question.activity === 'registrations' || areRowsDates(question)

/** [players of the first period, those of each period who bet]; with conditions on numbers over the rows that meet them. Null when there can be none. */
export function compilePlayerCount(question: Question, plan: Plan): Statement | null {
  const params = new Params()
  const where = whereSql('activity', question, params)
  if (where === null) return null
  const flags = question.second === null ? ['1 as in1'] : periodFlags('activity', question, params)
  const passing = passingSql(question, plan, params)
  const columns =
    passing === null ? [] : plan.columns.map((column) => `${columnSql(column, 'activity')} as c_${column}`)
  const inner = `select ${['player_id', 'bets', ...flags, ...columns].join(', ')} from ${fromSql('activity', question, params)} where ${where.join(' and ')}`
  const isGiven = givesPart('activity', 'bettors', question)
  const counts = [
    'uniqExactIf(player_id, in1)',
    // An activity may leave bets out.
    ...flags.map((_, period) => (isGiven ? `uniqExactIf(player_id, bets > 0 and in${period + 1})` : '0')),
  ]
  const group = question.isFlat ? groupTuple(question) : groupsSql(question)[0]
  const from = passing === null ? `(${inner})` : `${factsSql(inner, plan)} where ${group} in ${passing.groups}`
  return finish(`select ${counts.join(', ')} from ${from}`, params, question)
}
