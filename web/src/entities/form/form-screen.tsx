// The form of any entity; `id` is null when a row is being made. A row is always read afresh before it is edited.
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { EntityName } from '@tributary/contract/entities/registry'
import { http } from '../../data/http.ts'
import { keys } from '../../data/query-client.ts'
import { useLabels } from '../../i18n/labels.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import { Page } from '../../ui/page.tsx'
import { entityOf } from '../field/field-at.ts'
import type { Row } from '../list/list-query.ts'
import { EntityFormPage } from './entity-form-page.tsx'
import classes from './form.module.css'
import { type FormParts, NO_PARTS } from './form-parts.ts'
import { useGivenRow } from './given-row.ts'

interface FormScreenProps {
  name: EntityName
  id: number | null
  parts?: FormParts
}

export function FormScreen({ name, id, parts = NO_PARTS }: FormScreenProps) {
  return id === null ? <NewRow name={name} parts={parts} /> : <StoredRow name={name} id={id} parts={parts} />
}

function NewRow({ name, parts }: { name: EntityName; parts: FormParts }) {
  const labels = useLabels()
  const given = useGivenRow(name)
  if (given !== undefined) return <EntityFormPage name={name} initial={null} parts={parts} given={given} />
  return (
    <Page title={labels.create(name)} subtitle={labels.subtitle(name)}>
      <FormSkeleton name={name} />
    </Page>
  )
}

function StoredRow({ name, id, parts }: { name: EntityName; id: number; parts: FormParts }) {
  const labels = useLabels()
  const row = useQuery({
    queryKey: keys.row(name, id),
    queryFn: ({ signal }) => http.get<Row>(`${name}/${id}`, { signal }),
    refetchOnMount: 'always',
  })
  if (row.isFetchedAfterMount && row.data !== undefined && !row.isError)
    return <EntityFormPage name={name} initial={row.data} parts={parts} />
  return (
    <Page title={labels.title(name)} subtitle={labels.subtitle(name)}>
      {row.isError ? (
        <FailedState error={row.error} onRetry={() => void row.refetch()} />
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
