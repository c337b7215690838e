// What signing in needs while the server runs: the keys, and the count of wrong guesses.
import { createSlot } from '../lib/slot.ts'
import type { Postgres } from '../postgres/client.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import { type AccessKeys, deriveKeys } from './keys.ts'

export interface AccessDesk {
  readonly keys: AccessKeys
  readonly attempts: Attempts
}

/** Filled by the access part; `accessDesk.of(services)`. */
export const accessDesk = createSlot<AccessDesk>('access desk')

export const createAccessDesk = (secret: string, postgres: Postgres): AccessDesk => ({
  keys: deriveKeys(secret),
  attempts: createAttempts(postgres),
})
