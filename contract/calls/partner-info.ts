// Questions about a partner's contact.
import { z } from 'zod'
import { leadersOr } from '../access.ts'
import { defineCall } from '../call.ts'

/** Other partners who have the same contact. `others`: how many more there are that the person may not see. */
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
