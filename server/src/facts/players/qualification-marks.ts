// Marks players as qualified, or as lost if they no longer qualify. `onQualified` runs only the first time that a player qualifies.

import { sql, type Transaction } from 'kysely'
import type { Database, Postgres } from '../../postgres/client.ts'
import { NO_CLICK } from '../columns.ts'
import type { PlayerProjection, PlayerRecord } from './player-projection.ts'
import { nextQualification, type Qualification } from './qualification.ts'

/** A player who qualified for the first time. */
export interface QualifiedPlayer {
  readonly id: number
  readonly clickId: string | null
  readonly offerPartnerId: number
  /** Business day. */
  readonly day: string
}

/** Runs in the transaction that marks the players, so that its jobs exist exactly if the marks do. */
export type OnQualified = (trx: Transaction<Database>, players: readonly QualifiedPlayer[]) => Promise<void>

/** A player's record with its projection. */
export interface Outcome {
  readonly record: PlayerRecord
  readonly projection: PlayerProjection
}

interface Change {
  readonly id: number
  readonly from: Qualification
  readonly to: Qualification
  readonly day: string | null
  readonly record: PlayerRecord
}

/** Skips players whose mark changed after they were read: that change is in the outbox, so they are projected again. */
export async function qualifyPlayers(
  postgres: Postgres,
  outcomes: readonly Outcome[],
  onQualified: OnQualified | undefined,
): Promise<void> {
  const changes = outcomes
    .map(toChange)
    .filter(({ record, to, day }) => record.qualification !== to || record.qualifiedAt !== day)
  if (changes.length === 0) return
  await postgres.withTransaction(async (trx) => {
    await sql`select set_config('tributary.cause', 'qualification', true)`.execute(trx)
    const { rows } = await sql<{ id: number }>`
      update player p set qualification = c.next, qualified_at = c.day
      from unnest(${changes.map((change) => change.id)}::bigint[], ${changes.map((change) => change.from)}::text[],
        ${changes.map((change) => change.to)}::text[], ${changes.map((change) => change.day)}::date[]) as c (id, previous, next, day)
      where p.id = c.id and p.qualification = c.previous
      returning p.id`.execute(trx)
    // The facts of this projection already contain the new mark, so its row in the outbox is redundant.
    await sql`delete from outbox where cause = 'qualification' and kind = 'player' and key = any(${rows.map((row) => row.id)}::bigint[])`.execute(
      trx,
    )
    const marked = new Set(rows.map((row) => row.id))
    const first = changes.filter(
      (change) => marked.has(change.id) && change.from === 'unqualified' && change.to === 'qualified',
    )
    if (first.length > 0) await onQualified?.(trx, first.map(toQualifiedPlayer))
  })
}

const toChange = ({ record, projection }: Outcome): Change => ({
  id: record.id,
  from: record.qualification,
  to: nextQualification(record.qualification, projection.qualifiedOn),
  day: projection.qualifiedOn,
  record,
})

const toQualifiedPlayer = ({ id, day, record }: Change) => ({
  id,
  clickId: record.dimensions.click_id === NO_CLICK ? null : record.dimensions.click_id,
  offerPartnerId: record.dimensions.offer_partner_id,
  day: day ?? '',
})
