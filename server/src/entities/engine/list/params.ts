// The query of a list as a request writes it; what is outside the grammar is refused by its parameter.

import { ALL_CAP } from '@tributary/contract/limits'
import { isTooDeep, type ListQuery, ListQueryError, parseListQuery, sliceOfPage } from '@tributary/contract/list-query'
import { type Selection, selectionQuery } from '@tributary/contract/selection'
import { AppError } from '../../../lib/app-error.ts'

/** `known` names further parameters to leave alone. */
export const readListQuery = (params: URLSearchParams, known: readonly string[] = []): ListQuery =>
  orRefuse(() => parseListQuery(params, known))

export const readSelection = (selection: Selection): ListQuery => orRefuse(() => selectionQuery(selection))

/** Number of rows and offset of a page. Throws `page_too_deep` for rows that lists do not show, `invalid` for a page that is too long. */
export function readSlice(query: Pick<ListQuery, 'page' | 'limit'>): { size: number; offset: number } {
  if (query.limit > ALL_CAP) throw new AppError('invalid', { issues: { limit: [{ key: 'value_invalid' }] } })
  if (isTooDeep(query)) throw new AppError('page_too_deep')
  return sliceOfPage(query)
}

function orRefuse(read: () => ListQuery): ListQuery {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ListQueryError)) throw error
    throw new AppError('invalid', { issues: { [error.key]: [{ key: error.issue }] } }, { cause: error })
  }
}
