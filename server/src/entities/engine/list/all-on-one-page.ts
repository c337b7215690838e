// `limit=-1` returns all rows if they fit into one answer, whatever the page number; otherwise pages of ALL_CAP rows.

import { ALL, ALL_CAP } from '@tributary/contract/limits'
import type { ListQuery, Pagination } from '@tributary/contract/list-query'

/** Calls `list` once, or twice if a later page of an all-in-one answer was requested. */
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
