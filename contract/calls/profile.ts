// Calls of the signed-in user on their account: profile, password, sessions, second factor; and the public calls that sign in and out.
import { z } from 'zod'
import { PERMISSIONS, ROLE_KINDS } from '../access.ts'
import { defineCall } from '../call.ts'
import { PASSWORD_MAX } from '../password.ts'

const EMAIL_MAX = 254
/** Longer than any valid password, so that a wrong one is rejected by comparison, not by length. */
const GIVEN_PASSWORD_MAX = 256

export const email = z
  .string({ error: 'email_invalid' })
  .trim()
  .max(EMAIL_MAX, 'email_invalid')
  .pipe(z.email('email_invalid'))

/** An existing password; password rules do not apply. */
export const givenPassword = z
  .string({ error: 'password_invalid' })
  .min(1, 'password_invalid')
  .max(GIVEN_PASSWORD_MAX, 'password_invalid')

const newPasswordText = z.string({ error: 'required' }).min(1, 'required').max(PASSWORD_MAX, 'password_invalid')

/** A new password, typed twice. The server applies the rules, because it knows earlier passwords. */
export const newPassword = z.strictObject({ password: newPasswordText, password_repeat: newPasswordText })

const reference = z.object({ id: z.int(), title: z.string() })

const arranged = z.array(z.string().max(40)).max(100, 'value_invalid')

/** Things of a screen that a user puts in order or hides, by name. Names that are not listed follow in the order of the product. */
const arrangement = z.strictObject({ order: arranged, hidden: arranged })
export type Arrangement = z.infer<typeof arrangement>

/** What a user has arranged for themselves. The server keeps it, because signing out clears the browser. */
export const preferences = z.strictObject({
  /** Paths of the screens on top of the menu, in the user's order. */
  favourites: z.array(z.string().regex(/^\/[\w-][\w/-]{0,99}$/, 'value_invalid')).max(50, 'value_invalid'),
  /** Areas of the menu that the user folded or unfolded; the others are as the menu shows them at first. */
  areas: z.record(z.string().max(40), z.enum(['open', 'folded'])),
  dashboard: z.strictObject({ sections: arrangement, tiles: arrangement }),
  /** The first steps of an installation are done, or the user does not want to see them. */
  start_hidden: z.boolean(),
})
export type Preferences = z.infer<typeof preferences>

const AS_GIVEN: Arrangement = { order: [], hidden: [] }
/** Of a user who has arranged nothing. */
export const NO_PREFERENCES: Preferences = {
  favourites: [],
  areas: {},
  dashboard: { sections: AS_GIVEN, tiles: AS_GIVEN },
  start_hidden: false,
}

/** Screens load the profile before they open. */
export const profileRead = defineCall({
  name: 'profile_read',
  method: 'GET',
  path: 'profile',
  access: 'everyone',
  answer: z.object({
    id: z.int(),
    full_name: z.string(),
    email: z.string(),
    role: reference.extend({ kind: z.enum(ROLE_KINDS) }),
    /** Effective permissions: the user's own set, else the role's template. */
    permissions: z.array(z.enum(PERMISSIONS)),
    partner: reference.nullable(),
    /** Groups that a team leader leads or a manager works in. */
    partner_groups: z.array(reference),
    /** Lists and reports count days in this zone. */
    business_time_zone: z.string(),
    /** Clicks before this day were deleted, as the retention setting says; null if none were. */
    clicks_kept_from: z.string().nullable(),
    preferences,
    /** For admins: postbacks, mails and invoices wait, because this is a restored copy. */
    sending_held: z.boolean().optional(),
    /** The admin who is viewing as this user, or null. */
    viewed_by: z.object({ id: z.int(), full_name: z.string() }).nullable(),
  }),
})

/** Replaces the given preferences and keeps the others. */
export const profilePreferences = defineCall({
  name: 'profile_preferences',
  method: 'PUT',
  path: 'profile/preferences',
  access: 'everyone',
  sessionOnly: true,
  body: preferences.partial(),
})

/** Mails a link that sets a new password; it works once, within an hour. */
export const profileRecoverPasswordMail = defineCall({
  name: 'profile_recover_password_mail',
  method: 'POST',
  path: 'profile/recover_password_mail',
  access: 'public',
  body: z.strictObject({ email }),
})

/** The token is the last part of the mailed link. */
export const profileResetPassword = defineCall({
  name: 'profile_reset_password',
  method: 'POST',
  path: 'profile/reset_password',
  access: 'public',
  query: z.strictObject({ token: z.string({ error: 'required' }).min(1, 'required').max(200, 'value_invalid') }),
  body: newPassword,
})

/** Ends the user's other sessions. */
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
        /** The session of this request. */
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

/** Ends all sessions except the one of this request. */
export const profileEndSessions = defineCall({
  name: 'profile_end_sessions',
  method: 'DELETE',
  path: 'profile/sessions',
  access: 'everyone',
  sessionOnly: true,
})

/** Replaces the recovery codes; requires a second-factor code. */
export const profileRecoveryCodes = defineCall({
  name: 'profile_recovery_codes',
  method: 'POST',
  path: 'profile/recovery_codes',
  access: 'everyone',
  sessionOnly: true,
  body: z.strictObject({ code: z.string({ error: 'required' }).trim().max(32, 'value_invalid') }),
  answer: z.object({ recovery_codes: z.array(z.string()) }),
})

/** Stops viewing as another user. */
export const profileEndView = defineCall({
  name: 'profile_end_view',
  method: 'DELETE',
  path: 'profile/view_as',
  access: 'everyone',
  sessionOnly: true,
  isReading: true,
})

const TOKEN_MAX = 4096
/** A session refreshes once in 15 minutes; hundreds of people in an office may share one address. */
const REFRESHES_PER_MINUTE = 300

/** Any short text: a malformed code and a wrong code get the same answer. */
const code = z.string({ error: 'value_invalid' }).trim().max(32, 'value_invalid')
const token = z.string({ error: 'required' }).min(1, 'required').max(TOKEN_MAX, 'value_invalid')

const tokenPair = z.object({ token: z.string(), refreshToken: z.string() })

/** Without a code, returns which second factor is needed; with one, opens the session. */
export const tokenCreate = defineCall({
  name: 'token_create',
  method: 'POST',
  path: 'token',
  access: 'public',
  query: z.strictObject({ '2fa': z.enum(['true', '1'], { error: 'value_invalid' }) }),
  body: z.strictObject({ email, password: givenPassword, code: code.optional() }),
  answer: z.union([
    z.object({ two_factor: z.literal('code') }),
    z.object({ two_factor: z.literal('setup'), secret: z.string(), otpauth_url: z.string() }),
    /** Recovery codes, returned once: by the sign-in that sets up the second factor. */
    tokenPair.extend({ recovery_codes: z.array(z.string()).optional() }),
  ]),
})

export const tokenRefresh = defineCall({
  name: 'token_refresh',
  method: 'POST',
  path: 'token/refresh',
  access: 'public',
  callsPerMinute: REFRESHES_PER_MINUTE,
  body: z.strictObject({ refreshToken: token }),
  answer: tokenPair,
})

/** Public, so that an expired access token can still end its session. */
export const tokenLogout = defineCall({
  name: 'token_logout',
  method: 'POST',
  path: 'token/logout',
  access: 'public',
  body: z.strictObject({ tokenData: z.strictObject({ token, refreshToken: token }) }),
})
