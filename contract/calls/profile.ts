// Who is signed in, and what they may do: loaded by the screens before the first one opens; and what they do about their own account.
import { z } from 'zod'
import { PERMISSIONS, ROLE_KINDS } from '../access.ts'
import { defineCall } from '../call.ts'
import { email, givenPassword, newPassword } from './credential.ts'

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
    /** The admin who looks on as this person; null = it is the person. */
    viewed_by: z.object({ id: z.int(), full_name: z.string() }).nullable(),
  }),
})

/** Mails a link that sets a new password, once, within an hour. */
export const profileRecoverPasswordMail = defineCall({
  name: 'profile_recover_password_mail',
  method: 'POST',
  path: 'profile/recover_password_mail',
  access: 'public',
  body: z.strictObject({ email }),
})

/** The token is the end of the link that was mailed. */
export const profileResetPassword = defineCall({
  name: 'profile_reset_password',
  method: 'POST',
  path: 'profile/reset_password',
  access: 'public',
  query: z.strictObject({ token: z.string({ error: 'required' }).min(1, 'required').max(200, 'value_invalid') }),
  body: newPassword,
})

/** Ends one's other sessions. */
export const profileChangePassword = defineCall({
  name: 'profile_change_password',
  method: 'PUT',
  path: 'profile/password',
  access: 'everyone',
  sessionOnly: true,
  body: newPassword.extend({ current_password: givenPassword }),
})

export const profileSessions = defineCall({
  name: 'profile_sessions',
  method: 'GET',
  path: 'profile/sessions',
  access: 'everyone',
  sessionOnly: true,
  answer: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        /** The one that asks. */
        current: z.boolean(),
        ip: z.string().nullable(),
        user_agent: z.string().nullable(),
        created_at: z.string(),
        last_used_at: z.string(),
      }),
    ),
    recovery_codes_left: z.int(),
  }),
})

export const profileEndSession = defineCall({
  name: 'profile_end_session',
  method: 'DELETE',
  path: 'profile/sessions/:id',
  access: 'everyone',
  sessionOnly: true,
  params: z.strictObject({ id: z.string() }),
})

/** All but the one that asks. */
export const profileEndSessions = defineCall({
  name: 'profile_end_sessions',
  method: 'DELETE',
  path: 'profile/sessions',
  access: 'everyone',
  sessionOnly: true,
})

/** New recovery codes in place of the old, against a code of the second factor. */
export const profileRecoveryCodes = defineCall({
  name: 'profile_recovery_codes',
  method: 'POST',
  path: 'profile/recovery_codes',
  access: 'everyone',
  sessionOnly: true,
  body: z.strictObject({ code: z.string({ error: 'required' }).trim().max(32, 'value_invalid') }),
  answer: z.object({ recovery_codes: z.array(z.string()) }),
})

/** Ends looking on as someone else. */
export const profileEndView = defineCall({
  name: 'profile_end_view',
  method: 'DELETE',
  path: 'profile/view_as',
  access: 'everyone',
  sessionOnly: true,
  isReading: true,
})
