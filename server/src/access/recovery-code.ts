// Creates and uses recovery codes, which replace a lost second factor. They are stored as hashes; about 50 random bits need no slow hash.
import { createHash, randomInt } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../postgres/client.ts'
import type {} from './tables.ts'

const COUNT = 10
const LENGTH = 10
/** Excludes characters that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const CODE = /^[a-z2-9]{5}-?[a-z2-9]{5}$/

const plain = (code: string): string => code.trim().toLowerCase().replace('-', '')
const hashOf = (userId: number, code: string): Buffer =>
  createHash('sha256')
    .update(`recovery code of user ${userId} ${plain(code)}`)
    .digest()

export const looksLikeRecoveryCode = (text: string): boolean => CODE.test(text.trim().toLowerCase())

/** Replaces all existing codes of the user. */
export async function makeRecoveryCodes(db: Kysely<Database>, userId: number): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  )
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  await db
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ user_id: userId, hash: hashOf(userId, code) })))
    .execute()
  return codes.map((code) => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`)
}

/** Marks the code as used. False if it is unknown or already used. */
export async function consumeRecoveryCode(db: Kysely<Database>, userId: number, code: string): Promise<boolean> {
  const spent = await db
    .updateTable('recovery_code')
    .set({ used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('hash', '=', hashOf(userId, code))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return spent.numUpdatedRows === 1n
}

export async function countRecoveryCodes(db: Kysely<Database>, userId: number): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_code')
    .select((select) => select.fn.countAll<number>().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return left
}
