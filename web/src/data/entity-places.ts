// Of each noun what menus, addresses and look-ups ask: where its screens are, who may open them. A build writes the values in place of this
// module, so that the definitions themselves are downloaded with the lists and forms that need them.
import { ENTITIES, type EntityName } from '@tributary/contract/entities/registry'
import type { Entity, EntityAccess } from '@tributary/contract/entity'

export interface EntityPlace {
  /** Null when it has no screens of its own. */
  readonly route: string | null
  readonly access: Pick<EntityAccess, 'view' | 'lookup' | 'create'>
  readonly hasForm: boolean
  readonly createsInModal: boolean
  readonly hasActive: boolean
}

const placeOf = ({ route, access, form, createsInModal, hasActive }: Entity): EntityPlace => ({
  route,
  access: { view: access.view, lookup: access.lookup, create: access.create },
  hasForm: form.length > 0,
  createsInModal: createsInModal === true,
  hasActive,
})

// `Object.fromEntries` forgets the names of the keys.
export const ENTITY_PLACES = Object.fromEntries(
  Object.entries(ENTITIES).map(([name, entity]) => [name, placeOf(entity)]),
) as Record<EntityName, EntityPlace>
