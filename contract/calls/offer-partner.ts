// Sets a dated term of a partner offer from a day on, without editing ranges by hand. Each call returns the partner offer with its collections.
import { z } from 'zod'
import { LEADERS, leadersOr, STAFF } from '../access.ts'
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

// Calls on an offer besides CRUD.

const id = z.strictObject({ id: z.string() })
const flag = z.enum(['1', '0', 'true', 'false'], { error: 'value_invalid' })

/** Activates or deactivates an offer. Returns the offer. */
export const offerActivate = defineCall({
  name: 'offer_activate',
  method: 'PUT',
  path: 'offer/activate/:id',
  access: LEADERS,
  params: id,
  query: z.strictObject({ activate: flag }),
  answer: z.record(z.string(), z.unknown()),
})

// Data for the page of a partner offer: recent traffic, and a sample visitor address of a country.

/** How many days back clicks are searched. */
export const HEALTH_DAYS = 30

export const linkHealth = defineCall({
  name: 'offer_partner_health',
  method: 'GET',
  path: 'offer_partner/:id/health',
  access: 'everyone',
  params: z.strictObject({ id: z.string() }),
  answer: z.strictObject({
    days: z.int(),
    /** Null if there was none in these days. */
    last_click_at: z.iso.datetime().nullable(),
    clicks: z.int(),
    unique_clicks: z.int(),
    /** Rejected visitors by reason, most frequent first. */
    refusals: z.array(z.strictObject({ reason: z.string(), clicks: z.int(), last_at: z.iso.datetime() })),
  }),
})

/** An IP address of the country, to test a tracking link from there; null if none is known. */
export const visitorSample = defineCall({
  name: 'visitor_sample',
  method: 'GET',
  path: 'visitor_sample',
  access: STAFF,
  query: z.strictObject({ country: z.string().regex(/^[A-Z]{2}$/, 'country_code_invalid') }),
  answer: z.strictObject({ ip: z.string().nullable() }),
})
