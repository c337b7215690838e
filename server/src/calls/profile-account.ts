// Handlers of calls on the caller's account: password reset and change, sessions, recovery codes.
import type { Calls } from '@tributary/contract/calls/registry'
import { sql } from 'kysely'
import { consumeAccountLink } from '../access/account-link.ts'
import { networkOf } from '../access/address.ts'
import { authService } from '../access/auth-service.ts'
import { consumeCode } from '../access/login.ts'
import { checkNewPassword, endSessionsOf, setPassword } from '../access/password.ts'
import { reauthenticate } from '../access/reauthenticate.ts'
import { countRecoveryCodes, makeRecoveryCodes } from '../access/recovery-code.ts'
import { logSecurityEvent } from '../access/security-log.ts'
import { endSession } from '../access/session.ts'
import { sendAccountLink } from '../jobs/send-account-link.ts'
import { AppError, invalidField } from '../lib/app-error.ts'
import type { Services } from '../services.ts'
import type { Handler } from './handler.ts'

const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface RequestOrigin {
  ip: string
  userAgent: string | undefined
  requestId: string
}

const note = (services: Services, { ip, userAgent, requestId }: RequestOrigin, cause: string, subject: number) =>
  logSecurityEvent(services.postgres.db, { cause, subject, ip, userAgent, requestId })

export const recoverPasswordMail: Handler<Calls['profile_recover_password_mail']> = async (input, services) => {
  const { body, ip, language } = input
  const { attempts } = authService.of(services)
  const keys = [
    { kind: 'restore', of: body.email.toLowerCase() },
    { kind: 'restore_address', of: networkOf(ip) },
  ] as const
  await attempts.guard(keys, async () => {
    const found = await services.postgres.db
      .selectFrom('user')
      .select(['id', 'language'])
      .where('email', '=', body.email)
      .where('enabled', '=', true)
      .executeTakeFirst()
    if (found === undefined) throw invalidField('email', 'email_not_found')
    await services.jobs.enqueue(sendAccountLink, {
      user: found.id,
      purpose: 'restore',
      language: found.language ?? language,
    })
    await note(services, input, 'a link to set a new password was asked for', found.id)
  })
}

function rejectUnequal({ password, password_repeat }: { password: string; password_repeat: string }): void {
  if (password !== password_repeat) throw invalidField('password_repeat', 'passwords_differ')
}

export const resetPassword: Handler<Calls['profile_reset_password']> = async (input, services) => {
  const { body, query, ip } = input
  const { attempts } = authService.of(services)
  rejectUnequal(body)
  const { id, email } = await attempts.guard([{ kind: 'address', of: networkOf(ip) }], () =>
    services.postgres.withTransaction(async (trx) => {
      const userId = await consumeAccountLink(trx, query.token)
      const issues = await checkNewPassword(trx, userId, body.password)
      if (issues.length > 0) throw new AppError('invalid', { issues: { password: issues } })
      await setPassword(trx, userId, body.password)
      return trx.selectFrom('user').select(['id', 'email']).where('id', '=', userId).executeTakeFirstOrThrow()
    }),
  )
  await attempts.reset({ kind: 'password', of: email.toLowerCase() })
  await note(services, input, 'the password was set by a link', id)
}

export const changePassword: Handler<Calls['profile_change_password']> = async (input, services) => {
  const { body, person } = input
  const { attempts } = authService.of(services)
  const { db } = services.postgres
  rejectUnequal(body)
  await reauthenticate(db, attempts, input, body.current_password)
  const issues = await checkNewPassword(db, person.id, body.password)
  if (issues.length > 0) throw new AppError('invalid', { issues: { password: issues } })
  await services.postgres.withTransaction((trx) => setPassword(trx, person.id, body.password, person.sessionId))
  await note(services, input, 'the password was changed', person.id)
}

export const listSessions: Handler<Calls['profile_sessions']> = async ({ person }, { postgres }) => {
  const items = await postgres.db
    .selectFrom('session')
    .select(['id', 'user_agent', 'created_at', 'last_used_at'])
    .select(sql<string | null>`host(ip)`.as('ip'))
    .where('user_id', '=', person.id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('last_used_at', 'desc')
    .limit(200)
    .execute()
  return {
    items: items.map(({ created_at, last_used_at, ...session }) => ({
      ...session,
      current: session.id === person.sessionId,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at.toISOString(),
    })),
    recovery_codes_left: await countRecoveryCodes(postgres.db, person.id),
  }
}

export const endOwnSession: Handler<Calls['profile_end_session']> = async (input, services) => {
  const { params, person } = input
  const { db } = services.postgres
  const found = SESSION_ID.test(params.id)
    ? await db
        .selectFrom('session')
        .select('id')
        .where('id', '=', params.id)
        .where('user_id', '=', person.id)
        .executeTakeFirst()
    : undefined
  if (found === undefined) throw new AppError('not_found')
  await endSession(db, found.id)
  await note(services, input, 'a session was ended', person.id)
  return undefined
}

export const endOtherSessions: Handler<Calls['profile_end_sessions']> = async (input, services) => {
  await endSessionsOf(services.postgres.db, input.person.id, input.person.sessionId)
  await note(services, input, 'all other sessions were ended', input.person.id)
  return undefined
}

export const renewRecoveryCodes: Handler<Calls['profile_recovery_codes']> = async (input, services) => {
  const { person, body, ip } = input
  const { attempts, keys } = authService.of(services)
  const { db } = services.postgres
  const account = await db
    .selectFrom('user')
    .select(['id', 'totp_secret'])
    .where('id', '=', person.id)
    .executeTakeFirstOrThrow()
  const guesses = [
    { kind: 'code', of: String(person.id) },
    { kind: 'address', of: networkOf(ip) },
  ] as const
  await attempts.guard(guesses, () => consumeCode(db, keys, account, body.code))
  const recovery_codes = await services.postgres.withTransaction((trx) => makeRecoveryCodes(trx, person.id))
  await note(services, input, 'new recovery codes were made', person.id)
  return { recovery_codes }
}
