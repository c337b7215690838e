// Tells partners that a player has qualified: the event `bl`, in the transaction that marks the player, so that it is told exactly if it is so.
// An address is not told of days before it was given.

import { addDays, dayOf } from '@tributary/contract/period'
import type { Transaction } from 'kysely'
import type { QualifiedPlayer } from '../../facts/players/qualification-marks.ts'
import type { Database } from '../../postgres/tables.ts'
import { isAsked, type PartnerTarget, skip, type Telling, type ToldEvent, tellPartner } from './outbound-postbacks.ts'
import { ofPlayer } from './postback-decision.ts'
import { blankRow, type PlayerState, type PostbackRow } from './postback-rows.ts'
import { findTargets, writeCalls } from './postback-store.ts'

const EVENT = 'bl'
/** Of a qualification longer ago (a first import of the past) it is no news that nobody was told. */
const NEWS_DAYS = 31

/** How many calls wait to be sent. */
export async function tellQualified(trx: Transaction<Database>, players: readonly QualifiedPlayer[]): Promise<number> {
  const days = new Map(players.map(({ id, day }) => [id, day]))
  const found = await findTargets(trx, [...days.keys()])
  const now = Date.now()
  const calls = found.flatMap(({ player, target }) => makeCalls(player, target, days.get(player.id) ?? '', now))
  await writeCalls(trx, calls)
  return calls.filter(({ status }) => status === 'pending').length
}

function makeCalls(player: PlayerState, target: PartnerTarget, day: string, now: number): PostbackRow[] {
  const { outer_id, click_id, advertiser_id } = player
  const told: ToldEvent = { event: EVENT, amount: null, currency: null, happenedAt: Date.parse(day) }
  const row = { ...blankRow(0, new Date(now).toISOString(), ''), ...ofPlayer(player) }
  const telling: Telling = {
    player,
    told: [told],
    row: { ...row, player_outer_id: outer_id, click_id, advertiser_id },
    parentId: null,
  }
  const isNews = day >= addDays(dayOf(now, 'UTC'), -NEWS_DAYS)
  const early = target.urls.filter(isThere(day))
  const late = target.urls.filter((url) => isAsked(url, EVENT, target.names) && !early.includes(url))
  const calls = early.length > 0 || late.length === 0 ? tellPartner(telling, { ...target, urls: early }) : []
  const skipped = [
    ...calls.filter(({ status }) => status === 'skipped'),
    ...late.map((url) => skip(telling, told, 'url_added_later', url)),
  ]
  return [...calls.filter(({ status }) => status === 'pending'), ...(isNews ? skipped : [])]
}

const isThere =
  (day: string) =>
  ({ since }: PartnerTarget['urls'][number]): boolean =>
    since.slice(0, 10) <= day
