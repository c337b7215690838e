// Handlers of the settings and of integrations with third-party services. A changed URL or credential is in the security log.

import { INTEGRATIONS } from '@tributary/contract/calls/integration'
import type { Calls } from '@tributary/contract/calls/registry'
import { SETTING_ID } from '@tributary/contract/entities/setting'
import { logSecurityEvent } from '../access/security-log.ts'
import { entityNamed } from '../entities/engine/model/model.ts'
import { updateEntity } from '../entities/engine/store.ts'
import { listIntegrations as readAll, writeIntegration } from '../integrations/integration.ts'
import { readAccount } from '../integrations/sheets/sheets-client.ts'
import { AppError, invalidField } from '../lib/app-error.ts'
import type { Handler } from './handler.ts'

export const listIntegrations: Handler<Calls['integration_list']> = async (_input, services) => ({
  items: await readAll(services, INTEGRATIONS),
})

export const updateIntegration: Handler<Calls['integration_update']> = async (
  { params, body, person, ip, userAgent, requestId },
  services,
) => {
  if (params.name === 'sheets' && body.credential && readAccount(body.credential) === undefined)
    throw invalidField('credential', 'sheet_key_invalid')
  await writeIntegration(services, params.name, { baseUrl: body.base_url, credential: body.credential })
  const changed = [
    body.base_url === undefined ? [] : ['address'],
    body.credential === undefined ? [] : ['credential'],
  ].flat()
  const cause = `the integration ${params.name} was changed: ${changed.join(', ') || 'failures forgiven'}`
  await logSecurityEvent(services.postgres.db, { cause, subject: person.id, ip, userAgent, requestId })
  const [state] = await readAll(services, [params.name])
  if (state === undefined) throw new AppError('internal')
  return state
}

/** Saves the only row of the settings. */
export const saveSetting: Handler<Calls['setting_save']> = ({ body, context }) =>
  updateEntity(context, entityNamed('setting'), SETTING_ID, body, { detailed: true })
