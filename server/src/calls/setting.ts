// Saves the only row of the settings without its id.
import type { Calls } from '@tributary/contract/calls/registry'
import { SETTING_ID } from '@tributary/contract/entities/setting'
import { entityNamed } from '../entities/engine/model/model.ts'
import { contextFor } from '../entities/engine/model/request-context.ts'
import { updateEntity } from '../entities/engine/store.ts'
import type { Handler } from './handler.ts'

export const saveSetting: Handler<Calls['setting_save']> = ({ body, person, requestId }, services) =>
  updateEntity(contextFor(person, requestId, services), entityNamed('setting'), SETTING_ID, body, { detailed: true })
