// Sets terms of a partner offer from a day on.
import type { Calls } from '@tributary/contract/calls/registry'
import { entityNamed, type Row } from '../entities/engine/model/model.ts'
import { contextFor, type RequestContext } from '../entities/engine/model/request-context.ts'
import { readRowId } from '../entities/engine/model/row-id.ts'
import { changeRecord, readEntity, updateEntity } from '../entities/engine/store.ts'
import { setTerms } from '../entities/rules/history.ts'
import type { Handler } from './handler.ts'

type TermsCall =
  | 'offer_partner_update_cost_history'
  | 'offer_partner_update_bl_deposit_history'
  | 'offer_partner_update_bl_period_history'

const offerPartner = entityNamed('offer_partner')
const DETAILED = { detailed: true }

function updateHistory<C extends TermsCall>(name: string): Handler<Calls[C]> {
  const history = entityNamed(name)
  const handle: Handler<Calls[TermsCall]> = async ({ params, body, person, requestId }, services): Promise<Row> => {
    const context: RequestContext = contextFor(person, requestId, services)
    const id = readRowId(params.id)
    await changeRecord(context, `update ${name}`, (db) => setTerms(db, context, history, id, body))
    return readEntity(context, offerPartner, id, DETAILED)
  }
  // All three calls have the same body and answer.
  return handle
}

export const updateCostHistory = updateHistory<'offer_partner_update_cost_history'>('offer_partner_cost_history')
export const updateBlDepositHistory = updateHistory<'offer_partner_update_bl_deposit_history'>(
  'offer_partner_bl_deposit_history',
)
export const updateBlPeriodHistory = updateHistory<'offer_partner_update_bl_period_history'>(
  'offer_partner_bl_period_history',
)

export const updateBlCountryRequirement: Handler<Calls['offer_partner_update_bl_country_requirement']> = (
  { params, body, person, requestId },
  services,
) => updateEntity(contextFor(person, requestId, services), offerPartner, readRowId(params.id), body, DETAILED)
