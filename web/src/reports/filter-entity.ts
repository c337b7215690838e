// Whose rows a filter chooses from, and who is offered it. Pure.
import { type Holder, isAllowed } from '@tributary/contract/access'
import type { EntityName } from '@tributary/contract/entities/registry'
import { type ReportFilterName, reportFilterOf } from '@tributary/contract/reports/choices'
import { isVisibleTo } from '@tributary/contract/reports/traffic'
import { ENTITY_PLACES } from '../data/entity-places.ts'

const isEntity = (name: string): name is EntityName => name in ENTITY_PLACES

export function entityOf(filter: ReportFilterName): EntityName | null {
  const { entity } = reportFilterOf(filter)
  return entity !== undefined && isEntity(entity) ? entity : null
}

/** Whether a person can choose of it: neither is it hidden from them, nor the list that its options come from. */
export function isOffered(name: ReportFilterName, holder: Holder): boolean {
  const entity = entityOf(name)
  return (
    isVisibleTo(reportFilterOf(name), holder.role) &&
    (entity === null || isAllowed(ENTITY_PLACES[entity].access.lookup, holder))
  )
}
