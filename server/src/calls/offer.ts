// Switching an offer on and off.
import type { Calls } from '@tributary/contract/calls/registry'
import { actAs } from '../entities/acting.ts'
import { entityNamed } from '../entities/model.ts'
import { readRowId } from '../entities/row-id.ts'
import { updateEntity } from '../entities/store.ts'
import type { Handler } from './handler.ts'

export const activateOffer: Handler<Calls['offer_activate']> = ({ params, query, person, requestId }, services) => {
  const active = query.activate === '1' || query.activate === 'true'
  const acting = actAs(person, requestId, services)
  return updateEntity(acting, entityNamed('offer'), readRowId(params.id), { active }, { detailed: false })
}
