// Signing in with two factors, refreshing the session, signing out. The only calls that need no token.
import { z } from 'zod'
import { defineCall } from '../call.ts'
import { email, givenPassword } from './credential.ts'

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
