// Counts rejected clicks per partner offer and reason and writes the counts to the log and to PostgreSQL every two seconds, so that a flood of
// bad requests costs one line.

import type { Pool } from 'pg'
import type { Logger } from '../../lib/log.ts'
import { cleanText } from '../query-text.ts'
import type { RejectionReason } from './click-decision.ts'

export interface RejectionLog {
  record(reason: RejectionReason, offerPartnerId: number | null, visitor: RejectedVisitor): void
  flush(): Promise<void>
  stop(): Promise<void>
}

export interface RejectedVisitor {
  readonly url: string
  readonly ip: string
  readonly userAgent: string | undefined
  readonly referrer: string | undefined
}

/** A rejected click that is stored individually. */
interface Rejection {
  at: string
  reason: RejectionReason
  offer_partner_id: number | null
  url: string
  ip: string
  agent: string | null
  referrer: string | null
}

interface RejectionCount {
  reason: RejectionReason
  offerPartnerId: number | null
  clicks: number
  /** The path of the last of these clicks, without its query. */
  path: string
}

const FLUSH_MS = 2000
const PATH_CAP = 80
/** At most this many rejections are stored per flush, so that a flood of bad requests does not fill the database. */
const STORED_PER_FLUSH = 100
const URL_CAP = 2048
const TEXT_CAP = 512
const DELETE_EVERY_MS = 3_600_000

const COUNT_SQL = `insert into click_refusal (offer_partner_id, date, reason, clicks, last_at)
  select offer_partner_id, (now() at time zone 'UTC')::date, reason, clicks, now()
  from unnest($1::int[], $2::text[], $3::bigint[]) as t (offer_partner_id, reason, clicks)
  where exists (select from offer_partner where id = t.offer_partner_id)
  on conflict (offer_partner_id, date, reason) do update
  set clicks = click_refusal.clicks + excluded.clicks, last_at = excluded.last_at`

/** A rejection of a deleted partner offer is stored without partner offer. */
const STORE_SQL = `insert into click_rejection (created_at, reason, offer_partner_id, partner_id, offer_id, url, ip, user_agent, referrer)
  select r.at, r.reason, l.id, l.partner_id, l.offer_id, r.url, r.ip, r.agent, r.referrer
  from jsonb_to_recordset($1::jsonb) as r (at timestamptz, reason text, offer_partner_id int, url text, ip text, agent text, referrer text)
  left join offer_partner l on l.id = r.offer_partner_id`
const DELETE_OLD_SQL = `delete from click_rejection where created_at < now() - interval '31 days'`

export function createRejectionLog(pool: Pool, log: Logger): RejectionLog {
  let counted = new Map<string, RejectionCount>()
  let pending: Rejection[] = []
  let deletedAt = 0

  async function store(): Promise<void> {
    const rejections = pending
    pending = []
    try {
      if (rejections.length > 0) await pool.query(STORE_SQL, [JSON.stringify(rejections)])
      if (Date.now() - deletedAt < DELETE_EVERY_MS) return
      deletedAt = Date.now()
      await pool.query(DELETE_OLD_SQL)
    } catch (error) {
      log.warn({ error, clicks: rejections.length }, 'rejected clicks could not be stored')
    }
  }

  async function flush(): Promise<void> {
    if (counted.size === 0) return
    await store()
    const lines = [...counted.values()]
    counted = new Map()
    for (const { reason, offerPartnerId, clicks, path } of lines) {
      log.info({ reason, offer_partner_id: offerPartnerId, clicks, path }, 'clicks rejected')
    }
    const ofOfferPartners = lines.filter((line) => line.offerPartnerId !== null)
    if (ofOfferPartners.length === 0) return
    try {
      await pool.query(COUNT_SQL, [
        ofOfferPartners.map((line) => line.offerPartnerId),
        ofOfferPartners.map((line) => line.reason),
        ofOfferPartners.map((line) => line.clicks),
      ])
    } catch (error) {
      log.warn({ error }, 'rejected clicks could not be counted in PostgreSQL; they are counted with the next ones')
      for (const line of ofOfferPartners) add(line.reason, line.offerPartnerId, line.path, line.clicks)
    }
  }

  function add(reason: RejectionReason, offerPartnerId: number | null, path: string, clicks: number): void {
    const key = `${offerPartnerId}:${reason}`
    const existing = counted.get(key)
    if (existing === undefined) counted.set(key, { reason, offerPartnerId, clicks, path })
    else {
      existing.clicks += clicks
      existing.path = path
    }
  }

  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()
  return {
    record(reason, offerPartnerId, visitor) {
      add(reason, offerPartnerId, visitor.url.split('?', 1)[0]?.slice(0, PATH_CAP) ?? '', 1)
      if (pending.length < STORED_PER_FLUSH) pending.push(toRejection(reason, offerPartnerId, visitor))
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

const toRejection = (
  reason: RejectionReason,
  offerPartnerId: number | null,
  { url, ip, userAgent, referrer }: RejectedVisitor,
): Rejection => ({
  at: new Date().toISOString(),
  reason,
  offer_partner_id: offerPartnerId,
  url: cleanText(url, URL_CAP) ?? '',
  ip,
  agent: cleanText(userAgent, TEXT_CAP),
  referrer: cleanText(referrer, TEXT_CAP),
})
