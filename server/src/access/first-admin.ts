// Creates the first admin of a new installation. Does nothing if any user exists.

import type { RoleKind } from '@tributary/contract/access'
import { type Kysely, sql } from 'kysely'
import { ADVISORY_LOCKS } from '../postgres/advisory-locks.ts'
import type { Database } from '../postgres/client.ts'
import { hashPassword } from './password.ts'
import type { AccessKeys } from './session-token.ts'
import type {} from './tables.ts'
import { sealSecret } from './two-factor.ts'

export interface NewPerson {
  fullName: string
  email: string
  password: string
  role: RoleKind
  /** Base32. Without one, the user sets up the second factor at the first sign-in. */
  twoFactorSecret?: string | undefined
  partnerId?: number | null
}

export async function addPerson(db: Kysely<Database>, keys: AccessKeys, person: NewPerson): Promise<number> {
  const role = await db
    .selectFrom('user_role')
    .select('id')
    .where('kind', '=', person.role)
    .where('built_in', '=', true)
    .executeTakeFirstOrThrow()
  const hash = await hashPassword(person.password)
  const { id } = await db
    .insertInto('user')
    .values({
      full_name: person.fullName,
      email: person.email,
      role_id: role.id,
      partner_id: person.partnerId ?? null,
      password_hash: hash,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('password_history').values({ user_id: id, hash }).execute()
  if (person.twoFactorSecret !== undefined) {
    const sealed = sealSecret(keys.twoFactor, id, person.twoFactorSecret)
    await db.updateTable('user').set({ totp_secret: sealed, totp_last_step: 0 }).where('id', '=', id).execute()
  }
  return id
}

/** Returns 'present' if a user exists, 'missing' if none exists and the configuration has no credentials. */
export async function ensureFirstAdmin(
  db: Kysely<Database>,
  keys: AccessKeys,
  given: { adminEmail: string | undefined; adminPassword: string | undefined; adminTotpSecret: string | undefined },
): Promise<'present' | 'added' | 'missing'> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.firstAdmin})`.execute(trx)
    const anyone = await trx.selectFrom('user').select('id').limit(1).executeTakeFirst()
    if (anyone !== undefined) return 'present'
    const { adminEmail: email, adminPassword: password, adminTotpSecret: twoFactorSecret } = given
    if (email === undefined || password === undefined) return 'missing'
    await addPerson(trx, keys, { fullName: 'Administrator', email, password, role: 'ADMIN', twoFactorSecret })
    return 'added'
  })
}
