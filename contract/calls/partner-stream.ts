// Questions of the link form: may this stream carry a link to that offer, with that traffic source.
import { z } from 'zod'
import { defineCall } from '../call.ts'

const params = z.strictObject({ id: z.string() })
const number = z.string().regex(/^[1-9]\d{0,8}$/, 'value_invalid')
/** `message` says in the reader's language why not. */
const answer = z.object({ valid: z.boolean(), message: z.string().nullable() })

/** Not used by a link of another offer in the same country. `offer_partner`: the link being edited. */
export const validateOffer = defineCall({
  name: 'partner_stream_validate_offer',
  method: 'GET',
  path: 'partner_stream/:id/validate_offer',
  access: 'everyone',
  params,
  query: z.strictObject({ offer: number, offer_partner: number.optional() }),
  answer,
})

/** The traffic source is free for this stream. */
export const validateTrafficSource = defineCall({
  name: 'partner_stream_validate_traffic_source',
  method: 'GET',
  path: 'partner_stream/:id/validate_traffic_source',
  access: 'everyone',
  params,
  query: z.strictObject({ traffic_source: number, offer: number.optional(), offer_partner: number.optional() }),
  answer,
})
