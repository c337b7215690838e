// API keys consist of a prefix, by which people distinguish them, and 256 random bits. Only a hash is stored; random bits need no slow hash.
import { createHash, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../postgres/client.ts'
import type {} from './tables.ts'

const MARK = 'trb'
const PREFIX_LENGTH = 8
export const API_KEY = /^trb_[0-9a-f]{8}_[A-Za-z0-9_-]{43}$/

export interface MadeKey {
  readonly key: string
  readonly prefix: string
  readonly hash: Buffer
}

export function makeApiKey(): MadeKey {
  const prefix = `${MARK}_${randomBytes(PREFIX_LENGTH / 2).toString('hex')}`
  const key = `${prefix}_${randomBytes(32).toString('base64url')}`
  return { key, prefix, hash: hashApiKey(key) }
}

const hashApiKey = (key: string): Buffer => createHash('sha256').update(key).digest()

/** The id of the key, also if it is disabled or expired: `loadKeyHolder` checks that. Updates `last_used_at` at most once a minute. */
export async function findApiKey(db: Kysely<Database>, key: string): Promise<number | undefined> {
  const found = await db
    .selectFrom('api_key')
    .select(['id', sql<boolean>`coalesce(last_used_at < now() - interval '1 minute', true)`.as('is_stale')])
    .where('hash', '=', hashApiKey(key))
    .executeTakeFirst()
  if (found?.is_stale)
    await db.updateTable('api_key').set({ last_used_at: sql<Date>`now()` }).where('id', '=', found.id).execute()
  return found?.id
}
