// Queries of lists: the current page, and titles of ids in the address.
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { EntityName } from '@tributary/contract/entities/registry'
import { EMPTY_QUERY, type ListAnswer, type ListQuery, writeListQuery } from '@tributary/contract/list-query'
import { http } from '../../data/http.ts'
import { fetchOptions, type LookupOption } from '../../data/lookup.ts'
import { keys, queryClient } from '../../data/query-client.ts'

/** A row of any entity; only the registry knows its fields. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: number | string }

/** The page of a list; the previous page stays until the next one is loaded. */
export function useRows(name: EntityName, query: ListQuery): UseQueryResult<ListAnswer<Row>> {
  const params = writeListQuery(query)
  return useQuery({
    queryKey: keys.list(name, params),
    queryFn: ({ signal }) => http.get<ListAnswer<Row>>(name, { query: params, signal }),
    placeholderData: keepPreviousData,
  })
}

/** True if the entity has any row, regardless of the filter; undefined until it is known. Only an empty list requests it. */
export function useHasRows(name: EntityName, isEmpty: boolean): boolean | undefined {
  const params = writeListQuery({ ...EMPTY_QUERY, limit: 1 })
  const { data, isError } = useQuery({
    queryKey: keys.list(name, params),
    queryFn: ({ signal }) => http.get<ListAnswer<Row>>(name, { query: params, signal }),
    enabled: isEmpty,
  })
  if (data === undefined) return isError ? true : undefined
  return data.items.length > 0
}

const optionsKey = (name: EntityName, ids: readonly string[]) => [...keys.entity(name), 'options', ids.join()] as const

/** Options of ids, in their order. An id is its own title until its row is there. `isMissing`: there is no such row, or the user may not see it. */
export function useOptions(
  name: EntityName,
  ids: readonly string[],
): (LookupOption & { readonly isMissing?: boolean })[] {
  const { data, isPlaceholderData } = useQuery({
    queryKey: optionsKey(name, ids),
    queryFn: ({ signal }) => fetchOptions(name, ids, signal),
    enabled: ids.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
  const isMissing = data !== undefined && !isPlaceholderData
  return ids.map((id) => data?.find((option) => String(option.id) === id) ?? { id, title: `#${id}`, isMissing })
}

/** Caches selected options, so that they are not requested again. */
export function rememberOptions(name: EntityName, options: readonly LookupOption[]): void {
  queryClient.setQueryData(
    optionsKey(
      name,
      options.map(({ id }) => String(id)),
    ),
    [...options],
  )
}
