// What the address of a new row says of it: references by their ids, '/offer-partners/create?offer=12'. An id that leads nowhere is left out.
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { isWritable } from '@tributary/contract/validate'
import { fetchOptions } from '../../data/lookup.ts'
import { keys } from '../../data/query-client.ts'
import { entityName, entityOf } from '../field/field-at.ts'
import type { FormRow } from './form-row.ts'

type Asked = readonly (readonly [field: string, entity: EntityName, id: number])[]

function askedOf(name: EntityName, search: Readonly<Record<string, unknown>>): Asked {
  return Object.entries(entityOf(name).fields).flatMap(([field, declared]) => {
    const id = Number(search[field])
    const isAsked = declared.kind === 'reference' && isWritable(declared, true) && Number.isSafeInteger(id) && id > 0
    return isAsked ? [[field, entityName(declared.to), id] as const] : []
  })
}

/** Undefined while the options are being read. */
export function useGivenRow(name: EntityName): FormRow | undefined {
  const asked = askedOf(name, useSearch({ strict: false }))
  const given = useQuery({
    queryKey: [...keys.entity(name), 'given', asked],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(
        asked.map(async ([field, entity, id]) => [field, (await fetchOptions(entity, [id], signal))[0]] as const),
      )
      return Object.fromEntries(found.filter(([, option]) => option !== undefined))
    },
    enabled: asked.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (asked.length === 0 || given.isError) return NOTHING
  return given.data
}

const NOTHING: FormRow = {}
