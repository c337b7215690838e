// Sets a dated term of a partner offer from a day on, without editing ranges by hand. Each call returns the partner offer with its collections.
import { z } from 'zod'
import { leadersOr } from '../access.ts'
import { type Call, defineCall } from '../call.ts'
import { isDay } from '../period.ts'

const params = z.strictObject({ id: z.string() })
const day = z.string({ error: 'required' }).refine(isDay, 'date_invalid')
const value = z.union([z.number(), z.string()], { error: 'required' })

/** Closes an open range that began earlier on the day before; rejects any other overlap. */
const terms = z.strictObject({ value, date_from: day, date_to: day.nullish() })

const access = leadersOr('manager_access')
const answer = z.record(z.string(), z.unknown())

function update<const N extends string, const P extends string>(name: N, path: P) {
  return defineCall({
    name,
    method: 'PUT',
    path: `offer_partner/:id/${path}`,
    access,
    params,
    body: terms,
    answer,
  } satisfies Call)
}

export const updateCostHistory = update('offer_partner_update_cost_history', 'update_cost_history')
export const updateBlDepositHistory = update('offer_partner_update_bl_deposit_history', 'update_bl_deposit_history')
export const updateBlPeriodHistory = update('offer_partner_update_bl_period_history', 'update_bl_period_history')

/** Whether a player's actual country must be the offer's. */
export const updateBlCountryRequirement = defineCall({
  name: 'offer_partner_update_bl_country_requirement',
  method: 'PUT',
  path: 'offer_partner/:id/update_bl_country_requirement',
  access,
  params,
  body: z.strictObject({ country_requirement: z.boolean({ error: 'required' }) }),
  answer,
})
