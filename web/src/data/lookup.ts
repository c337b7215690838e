// Options of selects: look-ups of an entity, by what is typed or by ids that an address names.
import { ENTITIES, type EntityName } from '@tributary/contract/entities/registry'
import { ALL, LOOKUP_LIMIT } from '@tributary/contract/limits'
import { type Condition, EMPTY_QUERY, type LookupAnswer, writeListQuery } from '@tributary/contract/list-query'
import { http } from './http.ts'

export type LookupOption = LookupAnswer['options'][number]

const ACTIVE: Condition = { path: 'active', operator: 'eq', values: ['1'] }

async function ask(entity: EntityName, params: [string, string][], signal?: AbortSignal): Promise<LookupAnswer> {
  return http.get<LookupAnswer>(entity, { query: [...params, ['lookup', '1']], lookup: true, signal })
}

/** What a select needs to load its options: active rows only, narrowed by further conditions. */
export function lookupOf(entity: EntityName, conditions: readonly Condition[] = []) {
  const always = ENTITIES[entity].hasActive ? [ACTIVE, ...conditions] : conditions
  return (query: string, page: number, signal: AbortSignal): Promise<LookupAnswer> =>
    ask(entity, writeListQuery({ ...EMPTY_QUERY, query, page, limit: LOOKUP_LIMIT, conditions: always }), signal)
}

/** The options of known ids, active or not, to put words to what an address names. */
export async function fetchOptions(
  entity: EntityName,
  ids: readonly (number | string)[],
  signal?: AbortSignal,
): Promise<LookupOption[]> {
  if (ids.length === 0) return []
  const conditions: Condition[] = [{ path: 'id', operator: 'in', values: ids.map(String) }]
  return (await ask(entity, writeListQuery({ ...EMPTY_QUERY, limit: ALL, conditions }), signal)).options
}
