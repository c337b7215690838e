// Loads options of selects: by typed text, or by ids.
import { ENTITIES, type EntityName } from '@tributary/contract/entities/registry'
import { ALL, LOOKUP_LIMIT } from '@tributary/contract/limits'
import { type Condition, EMPTY_QUERY, type LookupAnswer, writeListQuery } from '@tributary/contract/list-query'
import { http } from './http.ts'

export type LookupOption = LookupAnswer['options'][number]

const ACTIVE: Condition = { path: 'active', operator: 'eq', values: ['1'] }

async function fetchLookup(
  entity: EntityName,
  params: [string, string][],
  signal?: AbortSignal,
): Promise<LookupAnswer> {
  return http.get<LookupAnswer>(entity, { query: [...params, ['lookup', '1']], lookup: true, signal })
}

/** Returns a loader of options: active rows only, limited by further conditions. */
export function lookupLoader(entity: EntityName, conditions: readonly Condition[] = []) {
  const always = ENTITIES[entity].hasActive ? [ACTIVE, ...conditions] : conditions
  return (query: string, page: number, signal: AbortSignal): Promise<LookupAnswer> =>
    fetchLookup(
      entity,
      writeListQuery({ ...EMPTY_QUERY, query, page, limit: LOOKUP_LIMIT, conditions: always }),
      signal,
    )
}

/** Loads the options of given ids, active or not, to show names for ids in an address. */
export async function fetchOptions(
  entity: EntityName,
  ids: readonly (number | string)[],
  signal?: AbortSignal,
): Promise<LookupOption[]> {
  if (ids.length === 0) return []
  const conditions: Condition[] = [{ path: 'id', operator: 'in', values: ids.map(String) }]
  return (await fetchLookup(entity, writeListQuery({ ...EMPTY_QUERY, limit: ALL, conditions }), signal)).options
}
