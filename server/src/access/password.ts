// Passwords are kept as argon2id only. Checking costs the same whether or not there is such a person, so that time tells nothing.
import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { checkPassword } from '@tributary/contract/password'
import type { Issue } from '@tributary/contract/validate'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../postgres/tables.ts'
import type {} from './tables.ts'

/** OWASP's second profile; the algorithm's default is argon2id. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
/** So many passwords back none may be used again; each check costs as much as signing in. */
const REMEMBERED = 12

/** Of no password that anyone knows. */
const nobodysHash = hash(randomBytes(32), COST)

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

export async function isRightPassword(kept: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await verify(kept ?? (await nobodysHash), password)
  return isRight && typeof kept === 'string'
}

/** What speaks against this password for this person; empty when it may be set. `userId` null = someone who is being made. */
export async function judgePassword(
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

/** Sets it and remembers it; every other session of the person ends. It must have been judged before. */
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
  // Links that wait in a mailbox were for the account as it was.
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
