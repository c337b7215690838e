// Signs in: checks the password, then the second factor, which is set up here if it is missing. Errors do not reveal whether email, password
// or account was wrong.
import type { RoleKind } from '@tributary/contract/access'
import type { Kysely } from 'kysely'
import { AppError } from '../lib/app-error.ts'
import type { Database } from '../postgres/client.ts'
import { networkOf } from './address.ts'
import type { Attempts } from './attempts.ts'
import { verifyPassword } from './password.ts'
import { consumeRecoveryCode, looksLikeRecoveryCode, makeRecoveryCodes } from './recovery-code.ts'
import { logSecurityEvent } from './security-log.ts'
import { type Device, openSession } from './session.ts'
import type { AccessKeys, TokenPair } from './session-token.ts'
import type {} from './tables.ts'
import { findStep, makeTwoFactorSecret, openSecret, sealSecret, writeOtpauthUrl } from './two-factor.ts'

export interface LoginContext {
  db: Kysely<Database>
  keys: AccessKeys
  attempts: Attempts
  device: Device
  requestId: string
}

export interface Credentials {
  email: string
  password: string
  code?: string | undefined
}

export type LoginAnswer =
  | { two_factor: 'code' }
  | { two_factor: 'setup'; secret: string; otpauth_url: string }
  | (TokenPair & { recovery_codes?: string[] })

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
  const account = await attempts.guard([name, address], () => checkPassword(context, given))
  const guesses = { kind: 'code', of: String(account.id) } as const
  await attempts.rejectLocked(guesses)
  if (given.code === undefined) {
    return account.totp_last_step === null ? prepareTwoFactor(db, keys, account) : { two_factor: 'code' }
  }
  const code = given.code
  const isFirst = account.totp_last_step === null
  await attempts.guard([guesses, address], () => checkCode(context, account, code))
  const pair = await openSession(db, keys, account, device)
  await note(context, isFirst ? 'signed in, second factor set up' : 'signed in', account.id)
  return isFirst ? { ...pair, recovery_codes: await makeRecoveryCodes(db, account.id) } : pair
}

const note = ({ db, device, requestId }: LoginContext, cause: string, subject: number | null): Promise<void> =>
  logSecurityEvent(db, { cause, subject, ip: device.ip, userAgent: device.userAgent, requestId })

async function checkPassword(context: LoginContext, { email, password }: Credentials): Promise<Account> {
  const { db } = context
  const found = await db
    .selectFrom('user')
    .innerJoin('user_role', 'user_role.id', 'user.role_id')
    .select(['user.id', 'user.email', 'user.enabled', 'user.password_hash', 'user.totp_secret', 'user.totp_last_step'])
    .select('user_role.kind as role')
    .where('user.email', '=', email)
    .executeTakeFirst()
  const isRight = await verifyPassword(found?.password_hash, password)
  if (found !== undefined && isRight && found.enabled) return found
  await note(
    context,
    isRight ? 'sign-in refused: the account is disabled' : 'sign-in refused: wrong password',
    found?.id ?? null,
  )
  throw new AppError('wrong_credentials')
}

/** Returns the same unconfirmed secret until its first code arrives, so that a reload does not invalidate a scanned QR code. */
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

async function checkCode(context: LoginContext, account: Account, code: string): Promise<void> {
  const { db, keys } = context
  try {
    if (account.totp_last_step !== null && looksLikeRecoveryCode(code)) {
      if (!(await consumeRecoveryCode(db, account.id, code))) throw new AppError('wrong_code')
      await note(context, 'a recovery code was used', account.id)
    } else await consumeCode(db, keys, account, code)
  } catch (error) {
    if (error instanceof AppError) await note(context, 'sign-in refused: wrong code', account.id)
    throw error
  }
}

/** Checks the code and marks it as used in one statement, so that only one of two requests with the same code succeeds. */
export async function consumeCode(
  db: Kysely<Database>,
  keys: AccessKeys,
  account: Pick<Account, 'id' | 'totp_secret'>,
  code: string,
): Promise<void> {
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
