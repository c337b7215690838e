// The form of any entity; `id` is null for a new row. A row is always reloaded before it is edited.
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { EntityName } from '@tributary/contract/entities/registry'
import { isWritable } from '@tributary/contract/validate'
import { http } from '../../data/http.ts'
import { fetchOptions } from '../../data/lookup.ts'
import { keys } from '../../data/query-client.ts'
import { useLabels } from '../../i18n/labels.ts'
import { Page } from '../../ui/page.tsx'
import { entityName, entityOf } from '../field/field-at.ts'
import type { Row } from '../list/list-query.ts'
import { EntityFormPage } from './entity-form-page.tsx'
import classes from './form.module.css'
import type { FormRow } from './form-row.ts'
import { type FormSlots, NO_SLOTS } from './form-slots.ts'
import { RecordFailed } from './record-failed.tsx'

type PresetReferences = readonly (readonly [field: string, entity: EntityName, id: number])[]

/** References in the address of a new row, by id: '/offer-partners/create?offer=12'. Unknown ids are ignored. */
function presetReferencesIn(name: EntityName, search: Readonly<Record<string, unknown>>): PresetReferences {
  return Object.entries(entityOf(name).fields).flatMap(([field, declared]) => {
    const id = Number(search[field])
    const isAsked = declared.kind === 'reference' && isWritable(declared, true) && Number.isSafeInteger(id) && id > 0
    return isAsked ? [[field, entityName(declared.to), id] as const] : []
  })
}

/** Undefined while the referenced rows are loading. */
function usePresetRow(name: EntityName): FormRow | undefined {
  const references = presetReferencesIn(name, useSearch({ strict: false }))
  const given = useQuery({
    queryKey: [...keys.entity(name), 'given', references],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(
        references.map(async ([field, entity, id]) => [field, (await fetchOptions(entity, [id], signal))[0]] as const),
      )
      return Object.fromEntries(found.filter(([, option]) => option !== undefined))
    },
    enabled: references.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (references.length === 0 || given.isError) return NOTHING
  return given.data
}

const NOTHING: FormRow = {}

interface FormScreenProps {
  name: EntityName
  id: number | null
  slots?: FormSlots | undefined
}

/** The form of a stored row, or of a new one (`id` null). */
export function FormScreen({ name, id, slots = NO_SLOTS }: FormScreenProps) {
  return id === null ? <NewRow name={name} slots={slots} /> : <StoredRow name={name} id={id} slots={slots} />
}

function NewRow({ name, slots }: { name: EntityName; slots: FormSlots }) {
  const labels = useLabels()
  const given = usePresetRow(name)
  if (given !== undefined) return <EntityFormPage name={name} initial={null} slots={slots} given={given} />
  return (
    <Page title={labels.create(name)} subtitle={labels.subtitle(name)}>
      <FormSkeleton name={name} />
    </Page>
  )
}

function StoredRow({ name, id, slots }: { name: EntityName; id: number; slots: FormSlots }) {
  const labels = useLabels()
  const row = useQuery({
    queryKey: keys.row(name, id),
    queryFn: ({ signal }) => http.get<Row>(`${name}/${id}`, { signal }),
    refetchOnMount: 'always',
  })
  if (row.isFetchedAfterMount && row.data !== undefined && !row.isError)
    return <EntityFormPage name={name} initial={row.data} slots={slots} />
  return (
    <Page title={labels.title(name)} subtitle={labels.subtitle(name)}>
      {row.isError ? (
        <RecordFailed name={name} id={id} error={row.error} onRetry={() => void row.refetch()} />
      ) : (
        <FormSkeleton name={name} />
      )}
    </Page>
  )
}

function FormSkeleton({ name }: { name: EntityName }) {
  const fields = entityOf(name).form[0]?.fields ?? []
  return (
    <div className={`${classes.body} ${classes.card} ${classes.grid}`}>
      {fields.map((field) => (
        <div key={field}>
          <Skeleton height={10} width={110} mb={8} radius="xl" />
          <Skeleton height={32} />
        </div>
      ))}
    </div>
  )
}
