// A session is one signed-in device. Each refresh replaces the refresh token; the previous one stays valid for 30 seconds and yields the same
// successor, so that tabs refreshing together get one pair. Any other value means a stolen token and ends the session.
import type { RoleKind } from '@tributary/contract/access'
import { type Kysely, sql, type Transaction } from 'kysely'
import { AppError } from '../lib/app-error.ts'
import type { Database, Postgres } from '../postgres/client.ts'
import { plainAddress } from './address.ts'
import {
  type AccessKeys,
  hashRefreshValue,
  isSameHash,
  makeRefreshValue,
  nextRefreshValue,
  type RefreshToken,
  readExpiredAccessToken,
  readRefreshToken,
  signAccessToken,
  type TokenPair,
  writeRefreshToken,
} from './session-token.ts'
import type {} from './tables.ts'

const GRACE_SECONDS = 30
const USER_AGENT_MAX = 512

const inThirtyDays = sql<Date>`now() + interval '30 days'`

export interface Device {
  ip: string
  userAgent: string | undefined
}

export async function openSession(
  db: Kysely<Database>,
  keys: AccessKeys,
  user: { id: number; role: RoleKind },
  device: Device,
): Promise<TokenPair> {
  const value = makeRefreshValue()
  const { id } = await db
    .insertInto('session')
    .values({
      user_id: user.id,
      refresh_hash: hashRefreshValue(value),
      user_agent: device.userAgent?.slice(0, USER_AGENT_MAX) ?? null,
      ip: plainAddress(device.ip),
      expires_at: inThirtyDays,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const token = await signAccessToken(keys, { userId: user.id, sessionId: id }, user.role)
  return { token, refreshToken: writeRefreshToken({ sessionId: id, value }) }
}

/** Throws `unauthorized` for an invalid token. Reuse of a replaced one also ends its session. */
export async function refreshSession(postgres: Postgres, keys: AccessKeys, refreshToken: string): Promise<TokenPair> {
  const shown = readRefreshToken(refreshToken)
  if (shown === null) throw new AppError('unauthorized')
  const session = await postgres.withTransaction(async (trx) => {
    const held = await lockSession(trx, shown.sessionId)
    return held === undefined ? undefined : { ...held, value: await rotate(trx, keys, held, shown) }
  })
  if (session?.value === undefined) throw new AppError('unauthorized')
  const token = await signAccessToken(keys, { userId: session.user_id, sessionId: session.id }, session.role)
  return { token, refreshToken: writeRefreshToken({ sessionId: session.id, value: session.value }) }
}

function lockSession(trx: Transaction<Database>, id: string) {
  return trx
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .innerJoin('user_role', 'user_role.id', 'user.role_id')
    .select([
      'session.id',
      'session.user_id',
      'session.refresh_hash',
      'session.previous_hash',
      'user_role.kind as role',
    ])
    .select(
      sql<boolean>`coalesce(session.rotated_at > now() - make_interval(secs => ${GRACE_SECONDS}), false)`.as(
        'is_in_grace',
      ),
    )
    .where('session.id', '=', id)
    .where('session.ended_at', 'is', null)
    .where('session.expires_at', '>', sql<Date>`now()`)
    .where('user.enabled', '=', true)
    .forUpdate('session')
    .executeTakeFirst()
}

type HeldSession = NonNullable<Awaited<ReturnType<typeof lockSession>>>

/** The next refresh value. Undefined, after ending the session, if the given one is neither current nor in its grace period. */
async function rotate(
  trx: Transaction<Database>,
  keys: AccessKeys,
  session: HeldSession,
  shown: RefreshToken,
): Promise<Buffer | undefined> {
  const hash = hashRefreshValue(shown.value)
  const next = nextRefreshValue(keys, shown.value)
  if (isSameHash(session.refresh_hash, hash)) {
    // Within the grace period the value does not change, so that any number of tabs gets the same successor.
    const change = session.is_in_grace
      ? {}
      : { refresh_hash: hashRefreshValue(next), previous_hash: hash, rotated_at: sql<Date>`now()` }
    const used = { ...change, last_used_at: sql<Date>`now()`, expires_at: inThirtyDays }
    await trx.updateTable('session').set(used).where('id', '=', session.id).execute()
    return session.is_in_grace ? shown.value : next
  }
  if (session.is_in_grace && isSameHash(session.previous_hash, hash)) return next
  await endSession(trx, session.id)
  return undefined
}

export async function endSession(db: Kysely<Database>, id: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ ended_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends the session of either token, expired or not. False if neither is valid. */
export async function endSessionOf(db: Kysely<Database>, keys: AccessKeys, pair: TokenPair): Promise<boolean> {
  const claims = await readExpiredAccessToken(keys, pair.token)
  const sessionId = claims?.sessionId ?? (await findSessionOfRefreshToken(db, pair.refreshToken))
  if (sessionId === undefined) return false
  await endSession(db, sessionId)
  return true
}

async function findSessionOfRefreshToken(db: Kysely<Database>, text: string): Promise<string | undefined> {
  const shown = readRefreshToken(text)
  if (shown === null) return undefined
  const hash = hashRefreshValue(shown.value)
  const session = await db
    .selectFrom('session')
    .select('id')
    .where('id', '=', shown.sessionId)
    .where((where) => where.or([where('refresh_hash', '=', hash), where('previous_hash', '=', hash)]))
    .executeTakeFirst()
  return session?.id
}
