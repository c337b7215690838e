// How a link is doing, and where a visitor of a country could come from: what its page asks beside the link itself.
import { z } from 'zod'
import { STAFF } from '../access.ts'
import { defineCall } from '../call.ts'

/** Clicks of the last days; older ones are not looked for. */
export const HEALTH_DAYS = 30

export const linkHealth = defineCall({
  name: 'offer_partner_health',
  method: 'GET',
  path: 'offer_partner/:id/health',
  access: 'everyone',
  params: z.strictObject({ id: z.string() }),
  answer: z.strictObject({
    days: z.int(),
    /** Null when there was none in these days. */
    last_click_at: z.iso.datetime().nullable(),
    clicks: z.int(),
    unique_clicks: z.int(),
    /** Visitors who were turned away, by reason, most first. */
    refusals: z.array(z.strictObject({ reason: z.string(), clicks: z.int(), last_at: z.iso.datetime() })),
  }),
})

/** An address of the country, to visit a link as somebody from there; null where none is known. */
export const visitorSample = defineCall({
  name: 'visitor_sample',
  method: 'GET',
  path: 'visitor_sample',
  access: STAFF,
  query: z.strictObject({ country: z.string().regex(/^[A-Z]{2}$/, 'country_code_invalid') }),
  answer: z.strictObject({ ip: z.string().nullable() }),
})
