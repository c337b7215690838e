// Creates and uses one-time links for setting a password. Only a hash is stored, and a link is created when its mail is sent, so
// that only the mail contains it.
import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { AppError } from '../lib/app-error.ts'
import type { Database } from '../postgres/client.ts'
import type {} from './tables.ts'

export const LINK_PURPOSES = ['restore', 'invitation'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

export const RESTORE_MINUTES = 60
export const INVITATION_DAYS = 7

const MINUTES: Record<LinkPurpose, number> = { restore: RESTORE_MINUTES, invitation: INVITATION_DAYS * 24 * 60 }

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Creates a link and returns its token, the last part of the URL. */
export async function makeAccountLink(db: Kysely<Database>, userId: number, purpose: LinkPurpose): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('account_link')
    .values({
      hash: hashOf(token),
      user_id: userId,
      purpose,
      expires_at: sql<Date>`now() + make_interval(mins => ${MINUTES[purpose]})`,
    })
    .execute()
  return token
}

/**
 * Marks the link as used and returns the user's id. Throws `wrong_token`. Call it in the transaction that sets the password: if that fails,
 * the link stays usable.
 */
export async function consumeAccountLink(db: Kysely<Database>, token: string): Promise<number> {
  const used = await db
    .updateTable('account_link')
    .set({ used_at: sql<Date>`now()` })
    .where('hash', '=', hashOf(token))
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('user_id', 'in', (from) => from.selectFrom('user').select('id').where('enabled', '=', true))
    .returning('user_id')
    .executeTakeFirst()
  if (used === undefined) throw new AppError('wrong_token')
  return used.user_id
}
