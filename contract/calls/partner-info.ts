// Checks of a partner's contact.
import { z } from 'zod'
import { leadersOr } from '../access.ts'
import { defineCall } from '../call.ts'

/** Other partners with the same contact. `others`: how many more exist outside the user's scope. */
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
