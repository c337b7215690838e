// The list of any entity.
import type { EntityName } from '@tributary/contract/entities/registry'
import { useLabels } from '../i18n/labels.ts'
import { Page } from '../ui/page.tsx'

export function ListScreen({ name }: { name: EntityName }) {
  const labels = useLabels()
  return (
    <Page title={labels.title(name)} subtitle={labels.subtitle(name)} fill>
      {null}
    </Page>
  )
}
