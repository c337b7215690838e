// The call that accepts partners' claims.
import { z } from 'zod'
import { defineCall } from '../call.ts'
import { SPEND_EDIT } from '../entities/partner-spend.ts'
import { bulkAnswer, SELECTION_BODY_LIMITS, selectionSchema } from '../selection.ts'

/** Turns the claims of the selected spends into accepted sums. A PARTNER gets 403 even with the permission. */
export const partnerSpendAccept = defineCall({
  name: 'partner_spend_accept',
  method: 'PUT',
  path: 'partner_spend/accept',
  access: SPEND_EDIT,
  bodyLimits: SELECTION_BODY_LIMITS,
  body: selectionSchema,
  answer: bulkAnswer.extend({ accepted: z.int() }),
})
