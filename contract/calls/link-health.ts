// Data for the page of a partner offer: recent traffic, and a sample visitor address of a country.
import { z } from 'zod'
import { STAFF } from '../access.ts'
import { defineCall } from '../call.ts'

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
