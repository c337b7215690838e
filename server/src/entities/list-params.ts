// The query of a list as a request writes it; what is outside the grammar is refused by its parameter.

import { type ListQuery, ListQueryError, parseListQuery } from '@tributary/contract/list-query'
import { type Selection, selectionQuery } from '@tributary/contract/selection'
import { AppError } from '../lib/app-error.ts'

/** `known` names further parameters to leave alone. */
export const readListQuery = (params: URLSearchParams, known: readonly string[] = []): ListQuery =>
  orRefuse(() => parseListQuery(params, known))

export const readSelection = (selection: Selection): ListQuery => orRefuse(() => selectionQuery(selection))

function orRefuse(read: () => ListQuery): ListQuery {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ListQueryError)) throw error
    throw new AppError('invalid', { issues: { [error.key]: [{ key: error.issue }] } }, { cause: error })
  }
}
