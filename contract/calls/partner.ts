// Calls about partners, their streams and contacts, and the groups of event names.
import { z } from 'zod'
import { ADMIN_ONLY, leadersOr } from '../access.ts'
import { defineCall } from '../call.ts'

const params = z.strictObject({ id: z.string() })
const number = z.string().regex(/^[1-9]\d{0,8}$/, 'value_invalid')
/** `message` says in the user's language why the choice is invalid. */
const answer = z.object({ valid: z.boolean(), message: z.string().nullable() })

/** Checks that no partner offer of another offer in the same country uses the stream. `offer_partner`: the one being edited. */
export const validateOffer = defineCall({
  name: 'partner_stream_validate_offer',
  method: 'GET',
  path: 'partner_stream/:id/validate_offer',
  access: 'everyone',
  params,
  query: z.strictObject({ offer: number, offer_partner: number.optional() }),
  answer,
})

/** Checks that the stream may use the traffic source. */
export const validateTrafficSource = defineCall({
  name: 'partner_stream_validate_traffic_source',
  method: 'GET',
  path: 'partner_stream/:id/validate_traffic_source',
  access: 'everyone',
  params,
  query: z.strictObject({ traffic_source: number, offer: number.optional(), offer_partner: number.optional() }),
  answer,
})

/** Finds other partners with the same contact. `others`: number of such partners outside the user's scope. */
export const checkDuplicate = defineCall({
  name: 'partner_info_check_duplicate',
  method: 'GET',
  path: 'partner_info/:id/check_duplicate',
  access: leadersOr('partners_view'),
  params: z.strictObject({ id: z.string() }),
  answer: z.object({
    duplicates: z.array(z.object({ partner: z.object({ id: z.int(), title: z.string() }) })),
    others: z.int(),
  }),
})

/** Assigns the group's event names to the partner; does nothing if the partner is already a member. Returns the group. */
export const addPartner = defineCall({
  name: 'partner_event_group_add_partner',
  method: 'POST',
  path: 'partner_event_group/:id/partner',
  access: ADMIN_ONLY,
  params: z.strictObject({ id: z.string() }),
  body: z.strictObject({ partner: z.int({ error: 'required' }).positive('value_invalid') }),
  answer: z.record(z.string(), z.unknown()),
  status: 201,
})
