// The auth service: keys derived from the secret, and the limits on guesses.
import { createSlot } from '../lib/slot.ts'
import type { Postgres } from '../postgres/client.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import { type AccessKeys, type Claims, createTokenReader, deriveKeys } from './session-token.ts'

export interface AuthService {
  readonly keys: AccessKeys
  readonly attempts: Attempts
  /** Claims of an access token. Rejects with `token_expired` or `unauthorized`. */
  readonly readToken: (token: string) => Promise<Claims>
}

/** The access module fills the slot at the start; `authService.of(services)` reads it. */
export const authService = createSlot<AuthService>('auth service')

export function createAuthService(secret: string, postgres: Postgres): AuthService {
  const keys = deriveKeys(secret)
  return { keys, attempts: createAttempts(postgres), readToken: createTokenReader(keys) }
}
