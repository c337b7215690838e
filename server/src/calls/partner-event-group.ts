// Giving the event names of a group to a partner.
import type { Calls } from '@tributary/contract/calls/registry'
import { actAs } from '../entities/acting.ts'
import { entityNamed } from '../entities/model.ts'
import { readRowId } from '../entities/row-id.ts'
import { saveRow } from '../entities/save.ts'
import { lockSnapshot } from '../entities/snapshot.ts'
import { changeRecord, readEntity } from '../entities/store.ts'
import { AppError } from '../lib/app-error.ts'
import type { Handler } from './handler.ts'

const group = entityNamed('partner_event_group')

export const addPartner: Handler<Calls['partner_event_group_add_partner']> = async (
  { params, body, person, requestId },
  services,
) => {
  const acting = actAs(person, requestId, services)
  const id = readRowId(params.id)
  await changeRecord(acting, 'add partner', async (db) => {
    const before = await lockSnapshot(db, acting, group, id)
    if (before === undefined) throw new AppError('not_found')
    const partners = Array.isArray(before.partners) ? before.partners.map(Number) : []
    await saveRow(db, acting, group, id, { partners: [...partners, body.partner] })
  })
  return readEntity(acting, group, id, { detailed: true })
}
