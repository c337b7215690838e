// Assigns the event names of a group to a partner.
import { z } from 'zod'
import { ADMIN_ONLY } from '../access.ts'
import { defineCall } from '../call.ts'

/** Adds the partner to the group; does nothing if already a member. Returns the group. */
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
