// `limit=-1`: what fits into one answer is all there, whichever page is named; more comes page by page.

import { ALL, ALL_CAP } from '@tributary/contract/limits'
import type { ListQuery, Pagination } from '@tributary/contract/list-query'

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
