// The options of report filters, and the titles of rows that filters name by id. Titles of rows in the report or chosen from a list are
// known; others, from a copied address, are loaded.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type AccessHolder, isAllowed } from '@tributary/contract/access'
import { ENTITIES, type EntityName, isEntityName } from '@tributary/contract/entities/registry'
import type { LookupAnswer } from '@tributary/contract/list-query'
import { REPORT_FILTER_NAMES, type ReportFilterName, reportFilterOf } from '@tributary/contract/reports/choices'
import { isVisibleTo } from '@tributary/contract/reports/traffic'
import { http } from '../../data/http.ts'
import { fetchOptions, type LookupOption, lookupLoader } from '../../data/lookup.ts'
import { keys, queryClient } from '../../data/query-client.ts'
import { session } from '../../state/session.ts'
import type { LoadOptions } from '../../ui/lookup/lookup-options.tsx'
import type { Filters, Narrowing } from './filter-state.ts'

export function entityOf(filter: ReportFilterName): EntityName | null {
  const { entity } = reportFilterOf(filter)
  return entity !== undefined && isEntityName(entity) ? entity : null
}

/** True if neither the filter nor the list of its options is hidden from the user. */
export function isOffered(name: ReportFilterName, holder: AccessHolder): boolean {
  const entity = entityOf(name)
  return (
    isVisibleTo(reportFilterOf(name), holder.role) &&
    (entity === null || isAllowed(ENTITIES[entity].access.lookup, holder))
  )
}

/** Where a filter's options come from: the look-up of its entity, or the values that the facts hold. 'Nothing' is one of them. */
export function loadOptionsOf(name: ReportFilterName, notSelected: string): LoadOptions {
  const entity = entityOf(name)
  const load: LoadOptions =
    entity === null
      ? (query, page, signal) =>
          http.get<LookupAnswer>('general_report/values', { query: { field: name, query, page }, signal })
      : lookupLoader(entity)
  const none = { id: reportFilterOf(name).kind === 'references' ? 0 : '', title: notSelected }
  return async (query, page, signal) => {
    const answer = await load(query, page, signal)
    const options = answer.options.filter(({ id }) => id !== none.id)
    return { ...answer, options: query === '' && page === 1 ? [none, ...options] : options }
  }
}

const known = new Map<string, LookupOption>()
// The next person on this page may not see these rows.
session.subscribe(() => {
  if (session.read() === null) known.clear()
})
const keyOf = (entity: string, id: number | string) => `${entity} ${id}`

export function rememberOptions(entity: string, options: readonly LookupOption[]): void {
  for (const option of options) known.set(keyOf(entity, option.id), option)
}

/** Loads the titles of those values of a filter that are not known yet. */
function unknownQuery(filter: ReportFilterName, values: readonly (number | string)[]) {
  const entity = entityOf(filter)
  const unknown = entity === null ? [] : values.filter((id) => id !== 0 && !known.has(keyOf(entity, id)))
  const query = queryOptions({
    queryKey: keys.lookup(entity ?? filter, `ids ${unknown.join(' ')}`),
    queryFn: ({ signal }) => (entity === null ? [] : fetchOptions(entity, unknown, signal)),
    enabled: entity !== null && unknown.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { entity, unknown, query }
}

export interface VisibleFilters {
  readonly visible: Filters
  /** Filters that named rows which do not exist or are hidden. */
  readonly hidden: readonly ReportFilterName[]
}

/** The filters without rows that do not exist or that the user may not see; null if there are none. Rejects with HttpError. */
export async function findVisibleFilters(filters: Filters): Promise<VisibleFilters | null> {
  const visible: { -readonly [F in ReportFilterName]?: Narrowing } = { ...filters }
  const hidden: ReportFilterName[] = []
  for (const name of REPORT_FILTER_NAMES) {
    const narrowing = filters[name]
    if (narrowing === undefined) continue
    const { unknown, query } = unknownQuery(name, narrowing.values)
    if (!query.enabled) continue
    const found = await queryClient.fetchQuery(query)
    const values = narrowing.values.filter((id) => !unknown.includes(id) || found.some((option) => option.id === id))
    if (values.length === narrowing.values.length) continue
    hidden.push(name)
    if (values.length === 0) delete visible[name]
    else visible[name] = { ...narrowing, values }
  }
  return hidden.length === 0 ? null : { visible, hidden }
}

/** The options behind values; an id stands for itself until its title is there. */
export function useOptions(
  filter: ReportFilterName,
  values: readonly (number | string)[],
  notSelected: string,
): LookupOption[] {
  const { entity, query } = unknownQuery(filter, values)
  const { data } = useQuery(query)
  return values.map((id) => {
    if (id === 0 || id === '') return { id, title: notSelected }
    if (entity === null) return { id, title: String(id) }
    return known.get(keyOf(entity, id)) ?? data?.find((option) => option.id === id) ?? { id, title: `#${id}` }
  })
}
