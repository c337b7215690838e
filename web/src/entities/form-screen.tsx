// The form of any entity; `id` is null when a row is being made.
import type { EntityName } from '@tributary/contract/entities/registry'
import { useLabels } from '../i18n/labels.ts'
import { Page } from '../ui/page.tsx'

export function FormScreen({ name, id }: { name: EntityName; id: number | null }) {
  const labels = useLabels()
  return <Page title={id === null ? labels.create(name) : labels.one(name)}>{null}</Page>
}
