// What people type to show who they are, as several calls take it.
import { z } from 'zod'
import { PASSWORD_MAX } from '../password.ts'

const EMAIL_MAX = 254
/** Longer than any password may be, so that an old one is refused by what it is, not by its length. */
const GIVEN_MAX = 256

export const email = z
  .string({ error: 'email_invalid' })
  .trim()
  .max(EMAIL_MAX, 'email_invalid')
  .pipe(z.email('email_invalid'))

/** A password that someone shows; what it must be is no question here. */
export const givenPassword = z
  .string({ error: 'password_invalid' })
  .min(1, 'password_invalid')
  .max(GIVEN_MAX, 'password_invalid')

const chosen = z.string({ error: 'required' }).min(1, 'required').max(PASSWORD_MAX, 'password_invalid')

/** A new password, typed twice. The rules are the server's to judge, because it alone knows which were used before. */
export const newPassword = z.strictObject({ password: chosen, password_repeat: chosen })
