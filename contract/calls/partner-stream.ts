// Checks of the partner-offer form: whether the stream may be used with an offer and a traffic source.
import { z } from 'zod'
import { defineCall } from '../call.ts'

const params = z.strictObject({ id: z.string() })
const number = z.string().regex(/^[1-9]\d{0,8}$/, 'value_invalid')
/** `message` explains a refusal in the user's language. */
const answer = z.object({ valid: z.boolean(), message: z.string().nullable() })

/** The stream is not used by a partner offer of another offer in the same country. `offer_partner`: the one being edited. */
export const validateOffer = defineCall({
  name: 'partner_stream_validate_offer',
  method: 'GET',
  path: 'partner_stream/:id/validate_offer',
  access: 'everyone',
  params,
  query: z.strictObject({ offer: number, offer_partner: number.optional() }),
  answer,
})

/** The stream may use the traffic source. */
export const validateTrafficSource = defineCall({
  name: 'partner_stream_validate_traffic_source',
  method: 'GET',
  path: 'partner_stream/:id/validate_traffic_source',
  access: 'everyone',
  params,
  query: z.strictObject({ traffic_source: number, offer: number.optional(), offer_partner: number.optional() }),
  answer,
})
