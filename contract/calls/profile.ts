// Who is signed in, and what they may do: loaded by the screens before the first one opens.
import { z } from 'zod'
import { PERMISSIONS, ROLE_KINDS } from '../access.ts'
import { defineCall } from '../call.ts'

const named = z.object({ id: z.int(), title: z.string() })

export const profileRead = defineCall({
  name: 'profile_read',
  method: 'GET',
  path: 'profile',
  access: 'everyone',
  answer: z.object({
    id: z.int(),
    full_name: z.string(),
    email: z.string(),
    role: named.extend({ kind: z.enum(ROLE_KINDS) }),
    /** In force: the person's own set if there is one, else the role's template. */
    permissions: z.array(z.enum(PERMISSIONS)),
    partner: named.nullable(),
    /** The groups that a team leader leads or a manager works in. */
    partner_groups: z.array(named),
    /** Whose days are the days of lists and reports. */
    business_time_zone: z.string(),
  }),
})
