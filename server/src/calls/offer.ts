// Activates and deactivates an offer.
import type { Calls } from '@tributary/contract/calls/registry'
import { entityNamed } from '../entities/engine/model/model.ts'
import { contextFor } from '../entities/engine/model/request-context.ts'
import { readRowId } from '../entities/engine/model/row-id.ts'
import { updateEntity } from '../entities/engine/store.ts'
import type { Handler } from './handler.ts'

export const activateOffer: Handler<Calls['offer_activate']> = ({ params, query, person, requestId }, services) => {
  const active = query.activate === '1' || query.activate === 'true'
  const context = contextFor(person, requestId, services)
  return updateEntity(context, entityNamed('offer'), readRowId(params.id), { active }, { detailed: false })
}
