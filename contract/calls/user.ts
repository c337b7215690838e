// Calls of admins and team leaders on a user's account, besides CRUD.
import { z } from 'zod'
import { ADMIN_ONLY, LEADERS } from '../access.ts'
import { defineCall } from '../call.ts'

const params = z.strictObject({ id: z.string() })

/** Mails a link with which the user sets a password. */
export const userInvite = defineCall({
  name: 'user_invite',
  method: 'POST',
  path: 'user/:id/invitation',
  access: LEADERS,
  sessionOnly: true,
  params,
})

/** The user sets up the second factor again at the next sign-in; their sessions end. */
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

/** For an hour, this session sees what the user sees and cannot change anything. */
export const userViewAs = defineCall({
  name: 'user_view_as',
  method: 'POST',
  path: 'user/:id/view_as',
  access: ADMIN_ONLY,
  sessionOnly: true,
  params,
})
