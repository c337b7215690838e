// Tells partners that a player has qualified: the event `bl`, in the transaction that marks the player, so that it is told exactly if it is so.
// An address is not told of days before it was given.

import type { Transaction } from 'kysely'
import type { QualifiedPlayer } from '../facts/qualified-hook.ts'
import type { Database } from '../postgres/tables.ts'
import { type PartnerTarget, tellPartner } from './partner-told.ts'
import { ofPlayer } from './postback-decision.ts'
import { blankRow, type PlayerState, type PostbackRow } from './postback-rows.ts'
import { findTargets, reservePostbacks, writeDecided } from './postback-store.ts'

const EVENT = 'bl'

/** How many calls wait to be sent. */
export async function tellQualified(trx: Transaction<Database>, players: readonly QualifiedPlayer[]): Promise<number> {
  const days = new Map(players.map(({ id, day }) => [id, day]))
  const found = await findTargets(trx, [...days.keys()])
  const calls = found.map(({ player, target }) => ({ player, target: since(target, days.get(player.id) ?? '') }))
  const ids = await reservePostbacks(
    trx,
    calls.reduce((sum, { target }) => sum + target.urls.length, 0),
  )
  const now = new Date().toISOString()
  const postbacks: PostbackRow[] = []
  for (const { player, target } of calls) {
    postbacks.push(
      ...makeCalls(player, target, Date.parse(days.get(player.id) ?? ''), now, ids.splice(0, target.urls.length)),
    )
  }
  await writeDecided(trx, { players: [], events: [], postbacks })
  return postbacks.length
}

const since = (target: PartnerTarget, day: string): PartnerTarget => ({
  ...target,
  urls: target.urls.filter((url) => url.since.slice(0, 10) <= day),
})

function makeCalls(
  player: PlayerState,
  target: PartnerTarget,
  happenedAt: number,
  now: string,
  ids: readonly number[],
): PostbackRow[] {
  const { outer_id, click_id, advertiser_id } = player
  const row = { ...blankRow(0, now, ''), ...ofPlayer(player), player_outer_id: outer_id, click_id, advertiser_id }
  return tellPartner({ player, told: [EVENT], amount: null, happenedAt, row, parentId: null }, target, ids)
}
