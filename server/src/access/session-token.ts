// The two tokens of a session. Access token: a JWT of 15 minutes with user and session. Refresh token: the session's id and a random value, of
// which only a hash is stored. Each value is derived from the previous one by a server key, so that its successor can be computed again.
import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { RoleKind } from '@tributary/contract/access'
import { errors, jwtVerify, SignJWT } from 'jose'
import { AppError } from '../lib/app-error.ts'

const ACCESS_SECONDS = 15 * 60
const ALGORITHM = 'HS256'
const USER_ID = /^\d{1,9}$/
const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface TokenPair {
  token: string
  refreshToken: string
}

export interface Claims {
  userId: number
  sessionId: string
  /** Expiry, in milliseconds since 1970. */
  until: number
}

export function signAccessToken(keys: AccessKeys, claims: Omit<Claims, 'until'>, role: RoleKind): Promise<string> {
  return new SignJWT({ sid: claims.sessionId, role })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setSubject(String(claims.userId))
    .setIssuedAt()
    .setExpirationTime(`${ACCESS_SECONDS} s`)
    .sign(keys.accessToken)
}

const REMEMBERED_TOKENS = 10_000

/**
 * Reads access tokens. Rejects with `token_expired` for a valid token past its expiry, with `unauthorized` for anything else that is invalid.
 * Valid ones are remembered until they expire, because a signature stays valid; the caller checks whether their session still holds.
 */
export function createTokenReader(keys: AccessKeys): (token: string) => Promise<Claims> {
  const remembered = new Map<string, Claims>()
  return async (token) => {
    const known = remembered.get(token)
    if (known !== undefined && known.until > Date.now()) return known
    remembered.delete(token)
    const claims = await readAccessToken(keys, token)
    const [oldest] = remembered.keys()
    if (remembered.size >= REMEMBERED_TOKENS && oldest !== undefined) remembered.delete(oldest)
    remembered.set(token, claims)
    return claims
  }
}

async function readAccessToken(keys: AccessKeys, token: string): Promise<Claims> {
  try {
    const { payload } = await jwtVerify(token, keys.accessToken, {
      algorithms: [ALGORITHM],
      requiredClaims: ['sub', 'sid', 'exp'],
    })
    return readClaims(payload)
  } catch (error) {
    throw new AppError(error instanceof errors.JWTExpired ? 'token_expired' : 'unauthorized', {}, { cause: error })
  }
}

/** Also accepts expired tokens, for signing out. Null if the token is invalid. */
export async function readExpiredAccessToken(keys: AccessKeys, token: string): Promise<Claims | null> {
  try {
    const { payload } = await jwtVerify(token, keys.accessToken, { algorithms: [ALGORITHM], currentDate: new Date(0) })
    return readClaims(payload)
  } catch {
    return null
  }
}

function readClaims({ sub, sid, exp }: Record<string, unknown>): Claims {
  if (typeof sub !== 'string' || typeof sid !== 'string' || !USER_ID.test(sub) || !SESSION_ID.test(sid))
    throw new AppError('unauthorized')
  return { userId: Number(sub), sessionId: sid, until: Number(exp) * 1000 }
}

export interface RefreshToken {
  sessionId: string
  value: Buffer
}

const REFRESH_VALUE = /^[A-Za-z0-9_-]{43}$/

export const makeRefreshValue = (): Buffer => randomBytes(32)
export const nextRefreshValue = (keys: AccessKeys, value: Buffer): Buffer =>
  createHmac('sha256', keys.refreshToken).update(value).digest()
export const hashRefreshValue = (value: Buffer): Buffer => createHash('sha256').update(value).digest()
export const writeRefreshToken = ({ sessionId, value }: RefreshToken): string =>
  `${sessionId}.${value.toString('base64url')}`

export function readRefreshToken(text: string): RefreshToken | null {
  const [sessionId = '', value = '', ...rest] = text.split('.')
  if (rest.length > 0 || !SESSION_ID.test(sessionId) || !REFRESH_VALUE.test(value)) return null
  return { sessionId, value: Buffer.from(value, 'base64url') }
}

export const isSameHash = (kept: Buffer | null, shown: Buffer): boolean =>
  kept?.length === shown.length && timingSafeEqual(kept, shown)

export interface AccessKeys {
  /** Signs access tokens. */
  readonly accessToken: Uint8Array
  /** Derives each refresh token from the one before it. */
  readonly refreshToken: Uint8Array
  /** Encrypts the secrets of second factors. */
  readonly twoFactor: Uint8Array
}

/** Derives the keys from the installation's secret. None can be computed from another, so a leaked key affects one purpose only. */
export function deriveKeys(secret: string): AccessKeys {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', `tributary ${purpose}`, 32))
  return { accessToken: derive('access token'), refreshToken: derive('refresh token'), twoFactor: derive('two factor') }
}
