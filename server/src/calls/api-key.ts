// Creates an API key of the caller.
import { API_KEY_DAYS_MAX } from '@tributary/contract/calls/api-key'
import type { Calls } from '@tributary/contract/calls/registry'
import { isDay } from '@tributary/contract/period'
import { makeApiKey } from '../access/api-key.ts'
import { logSecurityEvent } from '../access/security-log.ts'
import { entityNamed } from '../entities/engine/model/model.ts'
import { changeSigned, readEntity } from '../entities/engine/store.ts'
import { invalidField } from '../lib/app-error.ts'
import type { CallInput, Handler } from './handler.ts'

const DAY_MS = 86_400_000

export const createApiKey: Handler<Calls['api_key_create']> = async ({
  body,
  person,
  ip,
  userAgent,
  requestId,
  context,
}) => {
  const expires = endOf(body)
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

function endOf({ expires_on, expires_at }: CallInput<Calls['api_key_create']>['body']): Date {
  const field = expires_at ? 'expires_at' : 'expires_on'
  const text = expires_at || expires_on
  const latest = Date.now() + API_KEY_DAYS_MAX * DAY_MS
  if (text === undefined) return new Date(latest)
  const end = new Date(isDay(text) ? `${text}T23:59:59.999Z` : text)
  if (end.getTime() <= Date.now()) throw invalidField(field, 'date_invalid')
  if (end.getTime() > latest) throw invalidField(field, 'expires_too_late', { days: API_KEY_DAYS_MAX })
  return end
}
