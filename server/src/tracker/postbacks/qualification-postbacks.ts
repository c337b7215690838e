// Makes the outbound postback `bl` of a qualified player in the transaction that marks the player, so that it is made exactly once.
// A URL receives no qualifications of days before it was added.

import { addDays, dayOf } from '@tributary/contract/period'
import type { Transaction } from 'kysely'
import type { QualifiedPlayer } from '../../facts/players/qualification-marks.ts'
import type { Database } from '../../postgres/client.ts'
import {
  isRequested,
  makeOutboundPostbacks,
  makeSkipped,
  type OutboundContext,
  type OutboundEvent,
  type PartnerTarget,
} from './outbound-postbacks.ts'
import { playerColumns } from './postback-decision.ts'
import { blankRow, type PlayerState, type PostbackRow } from './postback-rows.ts'
import { findTargets, writeCalls } from './postback-store.ts'

const EVENT = 'bl'
/** Older qualifications, for example of a first import, leave no skipped rows. */
const MAX_AGE_DAYS = 31

/** Returns the number of pending calls. */
export async function writeQualificationPostbacks(
  trx: Transaction<Database>,
  players: readonly QualifiedPlayer[],
): Promise<number> {
  const days = new Map(players.map(({ id, day }) => [id, day]))
  const found = await findTargets(trx, [...days.keys()])
  const now = Date.now()
  const calls = found.flatMap(({ player, target }) => makeCalls(player, target, days.get(player.id) ?? '', now))
  await writeCalls(trx, calls)
  return calls.filter(({ status }) => status === 'pending').length
}

function makeCalls(player: PlayerState, target: PartnerTarget, day: string, now: number): PostbackRow[] {
  const { outer_id, click_id, advertiser_id } = player
  const event: OutboundEvent = { name: EVENT, amount: null, currency: null, happenedAt: Date.parse(day) }
  const row = { ...blankRow(0, new Date(now).toISOString(), ''), ...playerColumns(player) }
  const context: OutboundContext = {
    player,
    events: [event],
    row: { ...row, player_outer_id: outer_id, click_id, advertiser_id },
    parentId: null,
  }
  const isRecent = day >= addDays(dayOf(now, 'UTC'), -MAX_AGE_DAYS)
  const early = target.urls.filter(existedOn(day))
  const late = target.urls.filter((url) => isRequested(url, EVENT, target.names) && !early.includes(url))
  const calls = early.length > 0 || late.length === 0 ? makeOutboundPostbacks(context, { ...target, urls: early }) : []
  const skipped = [
    ...calls.filter(({ status }) => status === 'skipped'),
    ...late.map((url) => makeSkipped(context, event, 'url_added_later', url)),
  ]
  return [...calls.filter(({ status }) => status === 'pending'), ...(isRecent ? skipped : [])]
}

const existedOn =
  (day: string) =>
  ({ since }: PartnerTarget['urls'][number]): boolean =>
    since.slice(0, 10) <= day
