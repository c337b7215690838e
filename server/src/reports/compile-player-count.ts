// How many players the report is about, where the activity leaves out some of a player's days and the first of them cannot be told by itself.
import { whereSql } from './compile-source.ts'
import { Params, type Statement } from './params.ts'
import type { Question } from './question.ts'

/** Null when the page's own total knows it. */
export function compilePlayerCount(question: Question): Statement | null {
  if (question.activity !== 'deposits' && question.activity !== 'registrations') return null
  const params = new Params()
  const where = whereSql('activity', { ...question, second: null }, params)
  if (where === null) return null
  return {
    sql: `select uniqExact(player_id) from activity_fact final where ${where.join(' and ')}`,
    params: params.values,
  }
}
