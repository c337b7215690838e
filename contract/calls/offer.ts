// The call on an offer besides CRUD.
import { z } from 'zod'
import { ADMIN_OR_LEADERS } from '../access.ts'
import { defineCall } from '../call.ts'

const id = z.strictObject({ id: z.string() })
const flag = z.enum(['1', '0', 'true', 'false'], { error: 'value_invalid' })

/** Activates or deactivates an offer. Returns the offer. */
export const offerActivate = defineCall({
  name: 'offer_activate',
  method: 'PUT',
  path: 'offer/activate/:id',
  access: ADMIN_OR_LEADERS,
  params: id,
  query: z.strictObject({ activate: flag }),
  answer: z.record(z.string(), z.unknown()),
})
