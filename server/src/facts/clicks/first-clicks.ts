// First clicks of visitors, as both engines keep them.
import type { Clickhouse } from '../../clickhouse/client.ts'
import { fingerprint } from '../../lib/text-fingerprint.ts'
import type { Visit } from './uniqueness.ts'

export interface FirstClick {
  id: string
  offer_partner_id: number
  ip: string
  user_agent: string | null
}

export const FIRST_CLICK_COLUMNS = 'id, offer_partner_id, ip, user_agent'

export const visitOf = (click: Omit<FirstClick, 'id'>): Visit => ({
  offerPartnerId: click.offer_partner_id,
  address: fingerprint(click.ip),
  agent: fingerprint(click.user_agent ?? ''),
})

/** First clicks that have been handed over since a moment (milliseconds), in their order. */
export async function* readFirsts(clickhouse: Clickhouse, since: number): AsyncGenerator<{ id: string; visit: Visit }> {
  const firsts = `select ${FIRST_CLICK_COLUMNS} from click
    where created_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') and is_unique = 1 order by created_at, id`
  for await (const click of clickhouse.queryStream<FirstClick>(firsts, { since: Math.floor(since) }))
    yield { id: click.id, visit: visitOf(click) }
}
