// How many players the report is about, where the activity leaves out some of a player's days and the first of them cannot be told by itself.
import { whereSql } from './compile-source.ts'
import { sourceFrom } from './model/known.ts'
import { Params, type Statement } from './params.ts'
import type { Question } from './question.ts'

/** False when the report's own total knows it. */
export const needsPlayerCount = ({ activity }: Question): boolean =>
  activity === 'deposits' || activity === 'registrations'

/** Null when there can be none. */
export function compilePlayerCount(question: Question): Statement | null {
  const params = new Params()
  const selection = { ...question, second: null }
  const where = whereSql('activity', selection, params)
  if (where === null) return null
  return {
    sql: `select uniqExact(player_id) from ${sourceFrom('activity', selection, params)} where ${where.join(' and ')}`,
    params: params.values,
  }
}
