// Passwords are stored as argon2id. Checking takes as long for an unknown user as for a known one, so that timing reveals no account.
import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { checkPassword } from '@tributary/contract/password'
import type { Issue } from '@tributary/contract/validate'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../postgres/client.ts'
import type {} from './tables.ts'

/** OWASP's second profile; the algorithm's default is argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** Number of previous passwords that cannot be reused; each requires an argon2 check. */
const REMEMBERED = 12

/** Hash of random bytes, which is compared with the password of an unknown user. */
const unknownUserHash = hash(randomBytes(32), COST)

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

export async function verifyPassword(kept: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await verify(kept ?? (await unknownUserHash), password)
  return isRight && typeof kept === 'string'
}

/** Returns reasons to reject the password; empty if it is allowed. `userId` is null for a new user. */
export async function checkNewPassword(
  db: Kysely<Database>,
  userId: number | null,
  password: string,
): Promise<readonly Issue[]> {
  const issues = checkPassword(password)
  if (issues.length > 0 || userId === null) return issues
  const used = await db
    .selectFrom('password_history')
    .select('hash')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(REMEMBERED)
    .execute()
  for (const { hash: kept } of used) if (await verify(kept, password)) return [{ key: 'password_used' }]
  return []
}

/** Sets the password, adds it to the history and ends the user's other sessions. Does not check it: see `checkNewPassword`. */
export async function setPassword(
  db: Kysely<Database>,
  userId: number,
  password: string,
  keptSession?: string,
): Promise<void> {
  const kept = await hashPassword(password)
  await db.updateTable('user').set({ password_hash: kept }).where('id', '=', userId).execute()
  await db.insertInto('password_history').values({ user_id: userId, hash: kept }).execute()
  await db
    .deleteFrom('password_history')
    .where('user_id', '=', userId)
    .where('id', 'not in', (from) =>
      from
        .selectFrom('password_history')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(REMEMBERED),
    )
    .execute()
  // Unused links by mail must not undo this change.
  await db
    .updateTable('account_link')
    .set({ used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
  await endSessionsOf(db, userId, keptSession)
}

export async function endSessionsOf(db: Kysely<Database>, userId: number, except?: string): Promise<void> {
  let ending = db
    .updateTable('session')
    .set({ ended_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
  if (except !== undefined) ending = ending.where('id', '!=', except)
  await ending.execute()
}
