// Credentials that several calls accept.
import { z } from 'zod'
import { PASSWORD_MAX } from '../password.ts'

const EMAIL_MAX = 254
/** Longer than any valid password, so that a wrong one is rejected by comparison, not by length. */
const GIVEN_MAX = 256

export const email = z
  .string({ error: 'email_invalid' })
  .trim()
  .max(EMAIL_MAX, 'email_invalid')
  .pipe(z.email('email_invalid'))

/** An existing password; password rules do not apply. */
export const givenPassword = z
  .string({ error: 'password_invalid' })
  .min(1, 'password_invalid')
  .max(GIVEN_MAX, 'password_invalid')

const chosen = z.string({ error: 'required' }).min(1, 'required').max(PASSWORD_MAX, 'password_invalid')

/** A new password, typed twice. The server applies the rules, because it knows earlier passwords. */
export const newPassword = z.strictObject({ password: chosen, password_repeat: chosen })
