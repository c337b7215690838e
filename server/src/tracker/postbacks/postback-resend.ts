// Sends outbound postbacks again. A sent, failed or pending one keeps its row, attempts and idempotency key, and its retry schedule restarts.
// A skipped one is replaced by new calls to the partner's current URLs.

import { sql, type Transaction } from 'kysely'
import type { Database } from '../../postgres/client.ts'
import { makeOutboundPostbacks, type OutboundContext, type OutboundEvent } from './outbound-postbacks.ts'
import { blankRow, type PostbackRow } from './postback-rows.ts'
import { findTargets, writeCalls } from './postback-store.ts'

type Trx = Transaction<Database>

export interface Resent {
  count: number
  untold: number
}

/** Ids of rows that cannot be sent change nothing. `untold` counts skipped rows that still have no URL to call. */
export async function resend(trx: Trx, ids: readonly number[]): Promise<Resent> {
  const again = await sql`update postback set status = 'pending', reason = null, step = 0, next_attempt_at = now()
    where id = any(${ids}::bigint[]) and direction = 'out' and status in ('sent', 'failed', 'pending')`.execute(trx)
  const made = await replaceSkipped(trx, ids)
  return { count: Number(again.numAffectedRows ?? 0) + made.count, untold: made.untold }
}

type SkippedRow = Omit<PostbackRow, 'created_at'> & { player_id: number; created_at: Date; happened_at: Date }

async function replaceSkipped(trx: Trx, ids: readonly number[]): Promise<Resent> {
  const { rows } = await sql<SkippedRow>`select p.*, coalesce(e.happened_at, p.created_at) as happened_at
    from postback p left join player_event e on e.postback_id = p.parent_id
    where p.id = any(${ids}::bigint[]) and p.direction = 'out' and p.status = 'skipped' and p.player_id is not null
    order by p.id for update of p`.execute(trx)
  if (rows.length === 0) return { count: 0, untold: 0 }
  const targets = await findTargets(trx, [...new Set(rows.map((row) => row.player_id))])
  const targetOf = new Map(targets.map((found) => [found.player.id, found]))
  const done: number[] = []
  const calls: PostbackRow[] = []
  for (const row of rows) {
    const found = targetOf.get(row.player_id)
    if (found === undefined) continue
    const urls = found.target.urls.filter(({ id }) => id === (row.partner_postback_url_id ?? id))
    const made = makeOutboundPostbacks(contextOf(row, found.player), { ...found.target, urls }).filter(isWaiting)
    if (made.length === 0) continue
    done.push(row.id)
    calls.push(...made)
  }
  await sql`delete from postback_attempt where postback_id = any(${done}::bigint[])`.execute(trx)
  await sql`delete from postback where id = any(${done}::bigint[])`.execute(trx)
  await writeCalls(trx, calls)
  return { count: calls.length, untold: rows.length - done.length }
}

const isWaiting = ({ status }: PostbackRow): boolean => status === 'pending'

/** The new rows keep the creation time of the skipped row. */
function contextOf(row: SkippedRow, player: OutboundContext['player']): OutboundContext {
  const event: OutboundEvent = {
    name: row.event_type ?? '',
    amount: row.deposit_sum,
    currency: row.currency,
    happenedAt: row.happened_at.getTime(),
  }
  const { player_id, player_outer_id, click_id, deposit_sum, currency, country, actual_country, advertiser_id } = row
  const owner = {
    offer_partner_id: player.offer_partner_id,
    offer_id: player.offer_id,
    partner_id: player.partner_id,
    traffic_source_id: player.traffic_source_id,
    landing_id: player.landing_id,
    site_id: player.site_id,
  }
  const facts = { player_id, player_outer_id, click_id, deposit_sum, currency, country, actual_country, advertiser_id }
  return {
    player,
    events: [event],
    row: { ...blankRow(0, row.created_at.toISOString(), ''), ...facts, ...owner },
    parentId: row.parent_id,
  }
}
