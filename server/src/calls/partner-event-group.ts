// Adds a partner to a group of event names.
import type { Calls } from '@tributary/contract/calls/registry'
import { entityNamed } from '../entities/engine/model/model.ts'
import { contextFor } from '../entities/engine/model/request-context.ts'
import { readRowId } from '../entities/engine/model/row-id.ts'
import { lockSnapshot } from '../entities/engine/read/snapshot.ts'
import { saveRow } from '../entities/engine/save/save.ts'
import { changeRecord, readEntity } from '../entities/engine/store.ts'
import { AppError } from '../lib/app-error.ts'
import type { Handler } from './handler.ts'

const group = entityNamed('partner_event_group')

export const addPartner: Handler<Calls['partner_event_group_add_partner']> = async (
  { params, body, person, requestId },
  services,
) => {
  const context = contextFor(person, requestId, services)
  const id = readRowId(params.id)
  await changeRecord(context, 'add partner', async (db) => {
    const before = await lockSnapshot(db, context, group, id)
    if (before === undefined) throw new AppError('not_found')
    const partners = Array.isArray(before.partners) ? before.partners.map(Number) : []
    await saveRow(db, context, group, id, { partners: [...partners, body.partner] })
  })
  return readEntity(context, group, id, { detailed: true })
}
