// Titles of the rows that filters name by id: those seen in the report or chosen from a list are known; the rest, from a copied address, are asked for.
import { useQuery } from '@tanstack/react-query'
import type { EntityName } from '@tributary/contract/entities/registry'
import { type ReportFilterName, reportFilterOf } from '@tributary/contract/reports/choices'
import { ENTITY_PLACES } from '../data/entity-places.ts'
import { fetchOptions, type LookupOption } from '../data/lookup.ts'
import { keys } from '../data/query-client.ts'

const known = new Map<string, LookupOption>()
const keyOf = (entity: string, id: number | string) => `${entity} ${id}`

const isEntity = (name: string): name is EntityName => name in ENTITY_PLACES

export function entityOf(filter: ReportFilterName): EntityName | null {
  const { entity } = reportFilterOf(filter)
  return entity !== undefined && isEntity(entity) ? entity : null
}

export function rememberOptions(entity: string, options: readonly LookupOption[]): void {
  for (const option of options) known.set(keyOf(entity, option.id), option)
}

/** The options behind values; an id stands for itself until its title is there. */
export function useOptions(
  filter: ReportFilterName,
  values: readonly (number | string)[],
  notSelected: string,
): LookupOption[] {
  const entity = entityOf(filter)
  const unknown = entity === null ? [] : values.filter((id) => id !== 0 && !known.has(keyOf(entity, id)))
  const { data } = useQuery({
    queryKey: keys.lookup(entity ?? filter, `ids ${unknown.join(' ')}`),
    queryFn: ({ signal }) => (entity === null ? [] : fetchOptions(entity, unknown, signal)),
    enabled: entity !== null && unknown.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return values.map((id) => {
    if (id === 0 || id === '') return { id, title: notSelected }
    if (entity === null) return { id, title: String(id) }
    return known.get(keyOf(entity, id)) ?? data?.find((option) => option.id === id) ?? { id, title: `#${id}` }
  })
}
