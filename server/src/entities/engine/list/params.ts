// Reads list queries from requests. Errors name the parameter.

import { ALL, ALL_CAP } from '@tributary/contract/limits'
import {
  isTooDeep,
  type ListQuery,
  ListQueryError,
  type Pagination,
  parseListQuery,
  sliceOfPage,
} from '@tributary/contract/list-query'
import { type Selection, selectionQuery } from '@tributary/contract/selection'
import { AppError } from '../../../lib/app-error.ts'

/** Throws `invalid`. `known` names further parameters to ignore. */
export const readListQuery = (params: URLSearchParams, known: readonly string[] = []): ListQuery =>
  orInvalid(() => parseListQuery(params, known))

/** The query of a selection. Throws `invalid`. */
export const readSelection = (selection: Selection): ListQuery => orInvalid(() => selectionQuery(selection))

/** Rows and offset of a page. Throws `page_too_deep` beyond PAGED_ROWS, `invalid` above ALL_CAP rows. */
export function readSlice(query: Pick<ListQuery, 'page' | 'limit'>): { size: number; offset: number } {
  if (query.limit > ALL_CAP) throw new AppError('invalid', { issues: { limit: [{ key: 'value_invalid' }] } })
  if (isTooDeep(query)) throw new AppError('page_too_deep')
  return sliceOfPage(query)
}

function orInvalid(read: () => ListQuery): ListQuery {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ListQueryError)) throw error
    throw new AppError('invalid', { issues: { [error.key]: [{ key: error.issue }] } }, { cause: error })
  }
}

/**
 * Answers `limit=-1`: with all rows if they fit into one answer, also when a later page was requested; otherwise with pages of ALL_CAP
 * rows. Calls `list` once, or twice if a later page was requested.
 */
export async function answerAllOnOnePage<T extends { pagination: Pagination }>(
  query: ListQuery,
  list: (query: ListQuery) => Promise<T>,
): Promise<T> {
  const answer = await list(query)
  const { page, limit } = query
  if (limit !== ALL || page === 1 || answer.pagination.total > ALL_CAP) return answer
  const whole = await list({ ...query, page: 1 })
  return { ...whole, pagination: { ...whole.pagination, page } }
}
