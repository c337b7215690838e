// Whose rows a filter chooses from, and who is offered it. Pure.
import { type Holder, isAllowed } from '@tributary/contract/access'
import { ENTITIES, type EntityName } from '@tributary/contract/entities/registry'
import { type ReportFilterName, reportFilterOf } from '@tributary/contract/reports/choices'
import { isVisibleTo } from '@tributary/contract/reports/traffic'

const isEntity = (name: string): name is EntityName => name in ENTITIES

export function entityOf(filter: ReportFilterName): EntityName | null {
  const { entity } = reportFilterOf(filter)
  return entity !== undefined && isEntity(entity) ? entity : null
}

/** Whether a person can choose of it: neither is it hidden from them, nor the list that its options come from. */
export function isOffered(name: ReportFilterName, holder: Holder): boolean {
  const entity = entityOf(name)
  return (
    isVisibleTo(reportFilterOf(name), holder.role) &&
    (entity === null || isAllowed(ENTITIES[entity].access.lookup, holder))
  )
}
