// The settings have one row: saving them without naming it is saving that one.
import type { Calls } from '@tributary/contract/calls/registry'
import { SETTING_ID } from '@tributary/contract/entities/setting'
import { actAs } from '../entities/acting.ts'
import { entityNamed } from '../entities/model.ts'
import { updateEntity } from '../entities/store.ts'
import type { Handler } from './handler.ts'

export const saveSetting: Handler<Calls['setting_save']> = ({ body, person, requestId }, services) =>
  updateEntity(actAs(person, requestId, services), entityNamed('setting'), SETTING_ID, body, { detailed: true })
