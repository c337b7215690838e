// Handlers of calls on other users' accounts, which require the right to change the user (`entities/rules/user.ts`), and on API keys.

import type { Calls } from '@tributary/contract/calls/registry'
import { API_KEY_DAYS_MAX } from '@tributary/contract/calls/user'
import { isDay } from '@tributary/contract/period'
import { sql } from 'kysely'
import { makeApiKey } from '../access/api-key.ts'
import { endSessionsOf } from '../access/password.ts'
import { logSecurityEvent } from '../access/security-log.ts'
import { entityNamed, readRowId } from '../entities/engine/model/model.ts'
import { changeSigned, readEntity } from '../entities/engine/store.ts'
import { mayManage } from '../entities/rules/user.ts'
import { sendAccountLink } from '../jobs/send-account-link.ts'
import { AppError, invalidField } from '../lib/app-error.ts'
import { publishLive } from '../postgres/live.ts'
import type { Services } from '../services.ts'
import type { CallInput, Handler } from './handler.ts'

type UserCall =
  | Calls['user_invite']
  | Calls['user_reset_two_factor']
  | Calls['user_end_sessions']
  | Calls['user_view_as']

const VIEW_MINUTES = 60

/** The user's id. Throws if the caller may not see or change the user. */
async function findUser({ params, context }: CallInput<UserCall>, services: Services): Promise<number> {
  const id = readRowId(params.id)
  await readEntity(context, entityNamed('user'), id, { detailed: false })
  if (!(await mayManage(services.postgres.db, context, id))) throw new AppError('forbidden')
  return id
}

const note = (
  { person, ip, userAgent, requestId }: CallInput<UserCall>,
  services: Services,
  cause: string,
  id: number,
) => logSecurityEvent(services.postgres.db, { cause, subject: id, actor: person.id, ip, userAgent, requestId })

export const inviteUser: Handler<Calls['user_invite']> = async (input, services) => {
  const id = await findUser(input, services)
  const { language, enabled } = await services.postgres.db
    .selectFrom('user')
    .select(['language', 'enabled'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (!enabled) throw new AppError('conflict')
  await services.jobs.enqueue(sendAccountLink, {
    user: id,
    purpose: 'invitation',
    language: language ?? input.language,
  })
  await note(input, services, 'an invitation was sent', id)
  return undefined
}

export const resetTwoFactor: Handler<Calls['user_reset_two_factor']> = async (input, services) => {
  const id = await findUser(input, services)
  await services.postgres.withTransaction(async (trx) => {
    await trx.updateTable('user').set({ totp_secret: null, totp_last_step: null }).where('id', '=', id).execute()
    await trx.deleteFrom('recovery_code').where('user_id', '=', id).execute()
    await endSessionsOf(trx, id)
  })
  await note(input, services, 'the second factor was reset', id)
  return undefined
}

export const endSessionsOfUser: Handler<Calls['user_end_sessions']> = async (input, services) => {
  const id = await findUser(input, services)
  await endSessionsOf(services.postgres.db, id)
  await note(input, services, 'all sessions were ended', id)
  return undefined
}

export const viewAs: Handler<Calls['user_view_as']> = async (input, services) => {
  const id = await findUser(input, services)
  const { db } = services.postgres
  const { enabled, kind } = await db
    .selectFrom('user')
    .innerJoin('user_role', 'user_role.id', 'user.role_id')
    .select(['user.enabled', 'user_role.kind'])
    .where('user.id', '=', id)
    .executeTakeFirstOrThrow()
  // Viewing as an admin would show nothing new, and a disabled user sees nothing.
  if (!enabled || kind === 'ADMIN') throw new AppError('conflict')
  await db
    .updateTable('session')
    .set({ viewing_as: id, viewing_until: sql<Date>`now() + make_interval(mins => ${VIEW_MINUTES})` })
    .where('id', '=', input.person.sessionId)
    .execute()
  await note(input, services, 'an admin looks on as this user', id)
  await publishLive(db, 'permissions', {}, { users: [input.person.id] })
  return undefined
}

export const endView: Handler<Calls['profile_end_view']> = async (input, services) => {
  const { person, ip, userAgent, requestId } = input
  if (person.viewedBy === null) return undefined
  const { db } = services.postgres
  await db
    .updateTable('session')
    .set({ viewing_as: null, viewing_until: null })
    .where('id', '=', person.sessionId)
    .execute()
  const cause = 'an admin no longer looks on as this user'
  await logSecurityEvent(db, { cause, subject: person.id, actor: person.viewedBy, ip, userAgent, requestId })
  await publishLive(db, 'permissions', {}, { users: [person.viewedBy] })
  return undefined
}

const DAY_MS = 86_400_000

export const createApiKey: Handler<Calls['api_key_create']> = async ({
  body,
  person,
  ip,
  userAgent,
  requestId,
  context,
}) => {
  const expires = expiryOf(body)
  const { key, prefix, hash } = makeApiKey()
  const made = `an API key was made: ${prefix}`
  const { id } = await changeSigned(context, 'create api_key', async (db) => {
    const row = { user_id: person.id, title: body.title, prefix, hash, expires_at: expires, last_used_at: null }
    const added = await db.insertInto('api_key').values(row).returning('id').executeTakeFirstOrThrow()
    await logSecurityEvent(db, { cause: made, subject: person.id, ip, userAgent, requestId })
    return added
  })
  const row = await readEntity(context, entityNamed('api_key'), id, { detailed: false })
  return { ...row, id, title: body.title, prefix, expires_at: expires.toISOString(), key }
}

function expiryOf({ expires_on, expires_at }: CallInput<Calls['api_key_create']>['body']): Date {
  const field = expires_at ? 'expires_at' : 'expires_on'
  const text = expires_at || expires_on
  const latest = Date.now() + API_KEY_DAYS_MAX * DAY_MS
  if (text === undefined) return new Date(latest)
  const end = new Date(isDay(text) ? `${text}T23:59:59.999Z` : text)
  if (end.getTime() <= Date.now()) throw invalidField(field, 'date_invalid')
  if (end.getTime() > latest) throw invalidField(field, 'expires_too_late', { days: API_KEY_DAYS_MAX })
  return end
}
