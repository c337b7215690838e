// The auth service: keys derived from the secret, and the limits on guesses.
import { createSlot } from '../lib/slot.ts'
import type { Postgres } from '../postgres/client.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import { type AccessKeys, deriveKeys } from './session-token.ts'

export interface AuthService {
  readonly keys: AccessKeys
  readonly attempts: Attempts
}

/** The access module fills the slot at the start; `authService.of(services)` reads it. */
export const authService = createSlot<AuthService>('auth service')

export const createAuthService = (secret: string, postgres: Postgres): AuthService => ({
  keys: deriveKeys(secret),
  attempts: createAttempts(postgres),
})
