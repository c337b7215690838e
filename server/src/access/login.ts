// Signing in: password, then the second factor, which a person without one sets up here. What is wrong is told apart only between
// the two steps; of the first one nobody learns whether the address, the password or the account was at fault.
import type { RoleKind } from '@tributary/contract/access'
import type { Kysely } from 'kysely'
import { AppError } from '../lib/app-error.ts'
import type { Database } from '../postgres/tables.ts'
import { networkOf } from './address.ts'
import type { Attempts } from './attempts.ts'
import type { AccessKeys } from './keys.ts'
import { isRightPassword } from './password.ts'
import { type Device, openSession } from './session.ts'
import type { TokenPair } from './session-token.ts'
import type {} from './tables.ts'
import { findStep, makeTwoFactorSecret, openSecret, sealSecret, writeOtpauthUrl } from './two-factor.ts'

export interface LoginContext {
  db: Kysely<Database>
  keys: AccessKeys
  attempts: Attempts
  device: Device
}

export interface Credentials {
  email: string
  password: string
  code?: string | undefined
}

export type LoginAnswer =
  | { two_factor: 'code' }
  | { two_factor: 'setup'; secret: string; otpauth_url: string }
  | TokenPair

interface Account {
  id: number
  email: string
  role: RoleKind
  totp_secret: Buffer | null
  totp_last_step: number | null
}

export async function logIn(context: LoginContext, given: Credentials): Promise<LoginAnswer> {
  const { db, keys, attempts, device } = context
  const address = { kind: 'address', of: networkOf(device.ip) } as const
  const name = { kind: 'password', of: given.email.toLowerCase() } as const
  const account = await attempts.guard([name, address], () => checkPassword(db, given))
  const guesses = { kind: 'code', of: String(account.id) } as const
  attempts.refuseLocked(guesses)
  if (given.code === undefined) {
    return account.totp_last_step === null ? prepareTwoFactor(db, keys, account) : { two_factor: 'code' }
  }
  const code = given.code
  await attempts.guard([guesses, address], () => useCode(db, keys, account, code))
  return openSession(db, keys, account, device)
}

async function checkPassword(db: Kysely<Database>, { email, password }: Credentials): Promise<Account> {
  const found = await db
    .selectFrom('user')
    .innerJoin('user_role', 'user_role.id', 'user.role_id')
    .select(['user.id', 'user.email', 'user.enabled', 'user.password_hash', 'user.totp_secret', 'user.totp_last_step'])
    .select('user_role.kind as role')
    .where('user.email', '=', email)
    .executeTakeFirst()
  const isRight = await isRightPassword(found?.password_hash, password)
  if (found === undefined || !isRight || !found.enabled) throw new AppError('wrong_credentials')
  return found
}

/** The secret that waits for its first code: the same one until then, so that a reload does not spoil what was scanned. */
async function prepareTwoFactor(db: Kysely<Database>, keys: AccessKeys, account: Account): Promise<LoginAnswer> {
  const draft = sealSecret(keys.twoFactor, account.id, makeTwoFactorSecret())
  const { totp_secret: sealed } = await db
    .updateTable('user')
    .set((is) => ({ totp_secret: is.fn.coalesce('totp_secret', is.val(draft)) }))
    .where('id', '=', account.id)
    .where('totp_last_step', 'is', null)
    .returning('totp_secret')
    .executeTakeFirstOrThrow(() => new AppError('conflict'))
  if (sealed === null) throw new AppError('conflict')
  const secret = openSecret(keys.twoFactor, account.id, sealed)
  return { two_factor: 'setup', secret, otpauth_url: writeOtpauthUrl(secret, account.email) }
}

/** Accepts the code and uses it up in one statement, so that of two requests with the same code one is refused. */
async function useCode(db: Kysely<Database>, keys: AccessKeys, account: Account, code: string): Promise<void> {
  if (account.totp_secret === null) throw new AppError('wrong_code')
  const step = findStep(openSecret(keys.twoFactor, account.id, account.totp_secret), code, new Date())
  if (step === null) throw new AppError('wrong_code')
  const used = await db
    .updateTable('user')
    .set({ totp_last_step: step })
    .where('id', '=', account.id)
    .where('totp_secret', '=', account.totp_secret)
    .where((where) => where.or([where('totp_last_step', 'is', null), where('totp_last_step', '<', step)]))
    .executeTakeFirst()
  if (used.numUpdatedRows !== 1n) throw new AppError('wrong_code')
}
