// What an admin or a team leader does about someone's account beside saving it.
import { z } from 'zod'
import { ADMIN_ONLY, LEADERS } from '../access.ts'
import { defineCall } from '../call.ts'

const params = z.strictObject({ id: z.string() })

/** Mails a link with which the person sets their first password, or a new one. */
export const userInvite = defineCall({
  name: 'user_invite',
  method: 'POST',
  path: 'user/:id/invitation',
  access: LEADERS,
  sessionOnly: true,
  params,
})

/** The person sets the second factor up anew when they next sign in; their sessions end. */
export const userResetTwoFactor = defineCall({
  name: 'user_reset_two_factor',
  method: 'POST',
  path: 'user/:id/reset_two_factor',
  access: ADMIN_ONLY,
  sessionOnly: true,
  params,
})

export const userEndSessions = defineCall({
  name: 'user_end_sessions',
  method: 'DELETE',
  path: 'user/:id/sessions',
  access: ADMIN_ONLY,
  sessionOnly: true,
  params,
})

/** From now on, for an hour, this session sees what the person sees, and can change nothing. */
export const userViewAs = defineCall({
  name: 'user_view_as',
  method: 'POST',
  path: 'user/:id/view_as',
  access: ADMIN_ONLY,
  sessionOnly: true,
  params,
})
