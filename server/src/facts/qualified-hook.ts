// Where the part that tells partners leaves what is to happen when a player qualifies for the first time.

import type { Transaction } from 'kysely'
import { createSlot } from '../lib/slot.ts'
import type { Database } from '../postgres/tables.ts'

export interface QualifiedPlayer {
  readonly id: number
  readonly clickId: string | null
  readonly offerPartnerId: number
  /** Business day. */
  readonly day: string
}

/** Runs in the transaction that marks the players: what it enqueues is enqueued exactly if they are marked. */
export type OnQualified = (trx: Transaction<Database>, players: readonly QualifiedPlayer[]) => Promise<void>

export const qualifiedHook = createSlot<OnQualified>('what happens when a player qualifies')
