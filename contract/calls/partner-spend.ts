// Calls on entered spend besides CRUD: what partners claim is accepted.
import { z } from 'zod'
import { defineCall } from '../call.ts'
import { SPEND_EDIT } from '../entities/partner-spend.ts'
import { bulkAnswer, SELECTION_BODY_LIMITS, selectionSchema } from '../selection.ts'

/** The claims of the selected spends become their accepted sums. A PARTNER is refused, whatever permissions they hold. */
export const partnerSpendAccept = defineCall({
  name: 'partner_spend_accept',
  method: 'PUT',
  path: 'partner_spend/accept',
  access: SPEND_EDIT,
  bodyLimits: SELECTION_BODY_LIMITS,
  body: selectionSchema,
  answer: bulkAnswer.extend({ accepted: z.int() }),
})
