// Links by mail that open an account once: to set a forgotten password, or the first one. Only a hash is kept, and the link is made at the moment
// in which it is sent, so that it stands nowhere but in the mail.
import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { AppError } from '../lib/app-error.ts'
import type { Database } from '../postgres/tables.ts'
import type {} from './tables.ts'

export const LINK_PURPOSES = ['restore', 'invitation'] as const
export type LinkPurpose = (typeof LINK_PURPOSES)[number]

export const RESTORE_MINUTES = 60
export const INVITATION_DAYS = 7

const MINUTES: Record<LinkPurpose, number> = { restore: RESTORE_MINUTES, invitation: INVITATION_DAYS * 24 * 60 }

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The text that the address ends with. */
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

/** Uses it up: whose account it opens. Throws `wrong_token`. Inside the transaction that sets the password: refused there, it can be used again. */
export async function spendAccountLink(db: Kysely<Database>, token: string): Promise<number> {
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
