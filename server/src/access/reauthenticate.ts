// Asks a signed-in user for the password again, with the limits of signing in.
import type { Kysely } from 'kysely'
import { AppError, invalidField } from '../lib/app-error.ts'
import type { Database } from '../postgres/client.ts'
import { networkOf } from './address.ts'
import type { Attempts } from './attempts.ts'
import { verifyPassword } from './password.ts'

interface Caller {
  readonly person: { readonly id: number }
  readonly ip: string
}

/** Throws `invalid` for `current_password`, or `too_many_requests`. */
export async function reauthenticate(
  db: Kysely<Database>,
  attempts: Attempts,
  { person, ip }: Caller,
  password: string,
): Promise<void> {
  const own = await db
    .selectFrom('user')
    .select(['email', 'password_hash'])
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  const keys = [
    { kind: 'password', of: own.email.toLowerCase() },
    { kind: 'address', of: networkOf(ip) },
  ] as const
  await attempts
    .guard(keys, async () => {
      if (!(await verifyPassword(own.password_hash, password))) throw new AppError('wrong_credentials')
    })
    .catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'wrong_credentials')
        throw invalidField('current_password', 'password_invalid')
      throw error
    })
}
