// Calls on a partner offer besides CRUD: dated terms, its recent traffic, and a sample IP address for testing its link.
import { z } from 'zod'
import { leadersOr, STAFF } from '../access.ts'
import { type Call, defineCall } from '../call.ts'
import { isDay } from '../period.ts'

const params = z.strictObject({ id: z.string() })
const day = z.string({ error: 'required' }).refine(isDay, 'date_invalid')
const value = z.union([z.number(), z.string()], { error: 'required' })

/** An open range that begins on `date_from` is overwritten; one that began earlier ends the day before. Any other overlap is rejected. */
const terms = z.strictObject({ value, date_from: day, date_to: day.nullish() })

const access = leadersOr('manager_access')
const answer = z.record(z.string(), z.unknown())

/** A call that sets a dated term without editing ranges by hand. Returns the partner offer with its collections. */
function updateTerms<const N extends string, const P extends string>(name: N, path: P) {
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

export const updateCostHistory = updateTerms('offer_partner_update_cost_history', 'update_cost_history')
export const updateBlDepositHistory = updateTerms(
  'offer_partner_update_bl_deposit_history',
  'update_bl_deposit_history',
)
export const updateBlPeriodHistory = updateTerms('offer_partner_update_bl_period_history', 'update_bl_period_history')

/** Sets whether a player's actual country must be the offer's. */
export const updateBlCountryRequirement = defineCall({
  name: 'offer_partner_update_bl_country_requirement',
  method: 'PUT',
  path: 'offer_partner/:id/update_bl_country_requirement',
  access,
  params,
  body: z.strictObject({ country_requirement: z.boolean({ error: 'required' }) }),
  answer,
})

/** Number of past days whose clicks and rejections are counted. */
export const HEALTH_DAYS = 30

export const offerPartnerHealth = defineCall({
  name: 'offer_partner_health',
  method: 'GET',
  path: 'offer_partner/:id/health',
  access: 'everyone',
  params: z.strictObject({ id: z.string() }),
  answer: z.strictObject({
    days: z.int(),
    /** Null if no click arrived in these days. */
    last_click_at: z.iso.datetime().nullable(),
    clicks: z.int(),
    unique_clicks: z.int(),
    /** Rejected visitors by reason, most frequent first. */
    refusals: z.array(z.strictObject({ reason: z.string(), clicks: z.int(), last_at: z.iso.datetime() })),
  }),
})

/** Returns an IP address of the country from the GeoIP database, for testing a tracking link; null if the database has none. */
export const sampleVisitorIp = defineCall({
  name: 'visitor_sample',
  method: 'GET',
  path: 'visitor_sample',
  access: STAFF,
  query: z.strictObject({ country: z.string().regex(/^[A-Z]{2}$/, 'country_code_invalid') }),
  answer: z.strictObject({ ip: z.string().nullable() }),
})
