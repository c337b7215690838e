// The second factor: six digits that change every 30 seconds (RFC 6238), accepted one step early or late. The secret is encrypted with
// AES-256-GCM and bound to its user. The database keeps the last used step, so that no code works twice.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const ISSUER = 'Tributary'
const PERIOD_SECONDS = 30
const SECRET_BYTES = 20
const IV_BYTES = 12
const TAG_BYTES = 16

export const makeTwoFactorSecret = (): string => new Secret({ size: SECRET_BYTES }).base32

/** The URL in the QR code for an authenticator app. */
export const writeOtpauthUrl = (secret: string, email: string): string => totpOf(secret, email).toString()

/** The time step of the code: the current, previous or next one. Null for any other code. */
export function findStep(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window: 1 })
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta
}

export const makeCode = (secret: string, at: Date): string => totpOf(secret).generate({ timestamp: at.getTime() })

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    digits: 6,
    period: PERIOD_SECONDS,
    algorithm: 'SHA1',
  })
}

export function sealSecret(key: Uint8Array, userId: number, secret: string): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(boundTo(userId))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

/** Throws if SECRET has changed since the value was encrypted. */
export function openSecret(key: Uint8Array, userId: number, sealed: Buffer): string {
  const iv = sealed.subarray(0, IV_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(boundTo(userId))
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch (error) {
    throw new Error('a second factor cannot be opened: SECRET is another one than when it was set up', { cause: error })
  }
}

const boundTo = (userId: number): Buffer => Buffer.from(`two factor of user ${userId}`)
