// Titles of the rows that filters name by id: those seen in the report or chosen from a list are known; the rest, from a copied address, are asked for.
import { useQuery } from '@tanstack/react-query'
import type { ReportFilterName } from '@tributary/contract/reports/choices'
import { fetchOptions, type LookupOption } from '../../data/lookup.ts'
import { keys } from '../../data/query-client.ts'
import { session } from '../../state/session.ts'
import { entityOf } from './filter-entity.ts'

const known = new Map<string, LookupOption>()
// The next person on this page may not see these rows.
session.subscribe(() => {
  if (session.read() === null) known.clear()
})
const keyOf = (entity: string, id: number | string) => `${entity} ${id}`

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
