// Third parties, as an admin sets them up.
import { INTEGRATIONS } from '@tributary/contract/calls/integration'
import type { Calls } from '@tributary/contract/calls/registry'
import { listIntegrations as readAll, writeIntegration } from '../integrations/integration.ts'
import { AppError } from '../lib/app-error.ts'
import type { Handler } from './handler.ts'

export const listIntegrations: Handler<Calls['integration_list']> = async (_input, services) => ({
  items: await readAll(services, INTEGRATIONS),
})

export const updateIntegration: Handler<Calls['integration_update']> = async ({ params, body }, services) => {
  await writeIntegration(services, params.name, { baseUrl: body.base_url, credential: body.credential })
  const [state] = await readAll(services, [params.name])
  if (state === undefined) throw new AppError('internal')
  return state
}
