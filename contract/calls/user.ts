// Calls on a user's account besides CRUD, and the call that creates an API key.
import { z } from 'zod'
import { ADMIN_ONLY, ADMIN_OR_LEADERS } from '../access.ts'
import { defineCall } from '../call.ts'
import { isDay } from '../period.ts'
import { isMoment } from '../validate.ts'

const params = z.strictObject({ id: z.string() })

/** Mails a link with which the user sets a password. */
export const userInvite = defineCall({
  name: 'user_invite',
  method: 'POST',
  path: 'user/:id/invitation',
  access: ADMIN_OR_LEADERS,
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

export const API_KEY_DAYS_MAX = 366

/** Returns the row. Only this answer contains the key itself. */
export const apiKeyCreate = defineCall({
  name: 'api_key_create',
  method: 'POST',
  path: 'api_key',
  access: 'everyone',
  sessionOnly: true,
  body: z.strictObject({
    title: z.string({ error: 'required' }).trim().min(1, 'required').max(255, 'value_invalid'),
    /** Last day (UTC) on which the key works. */
    expires_on: z.string({ error: 'date_invalid' }).refine(isDay, 'date_invalid').optional(),
    /** The same as an instant; a day includes the whole day. Without either, the key works for the longest allowed time. */
    expires_at: z
      .string({ error: 'date_invalid' })
      .refine((text) => isDay(text) || isMoment(text), 'date_invalid')
      .nullish(),
  }),
  answer: z.looseObject({
    id: z.int(),
    title: z.string(),
    prefix: z.string(),
    expires_at: z.string(),
    key: z.string(),
  }),
  status: 201,
})
