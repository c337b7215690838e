// Why clicks were turned away: counted per link and reason, written to the log and to the record every few seconds. A flood of bad requests
// costs one line, not one each.

import type { Pool } from 'pg'
import type { Logger } from '../lib/log.ts'
import type { RefusalReason } from './decide.ts'

export interface RefusalLog {
  count(reason: RefusalReason, linkId: number | null, url: string): void
  flush(): Promise<void>
  stop(): Promise<void>
}

interface Refusals {
  reason: RefusalReason
  linkId: number | null
  clicks: number
  /** The path of the last one, without its query. */
  path: string
}

const FLUSH_MS = 2000
const PATH_CAP = 80

const SAVE = `insert into click_refusal (offer_partner_id, date, reason, clicks, last_at)
  select link, (now() at time zone 'UTC')::date, reason, clicks, now()
  from unnest($1::int[], $2::text[], $3::bigint[]) as t (link, reason, clicks)
  where exists (select from offer_partner where id = link)
  on conflict (offer_partner_id, date, reason) do update
  set clicks = click_refusal.clicks + excluded.clicks, last_at = excluded.last_at`

export function createRefusalLog(pool: Pool, log: Logger): RefusalLog {
  let counted = new Map<string, Refusals>()

  async function flush(): Promise<void> {
    if (counted.size === 0) return
    const lines = [...counted.values()]
    counted = new Map()
    for (const { reason, linkId, clicks, path } of lines) {
      log.info({ reason, offer_partner_id: linkId, clicks, path }, 'clicks refused')
    }
    const ofLinks = lines.filter((line) => line.linkId !== null)
    if (ofLinks.length === 0) return
    try {
      await pool.query(SAVE, [
        ofLinks.map((line) => line.linkId),
        ofLinks.map((line) => line.reason),
        ofLinks.map((line) => line.clicks),
      ])
    } catch (error) {
      log.warn({ error }, 'refused clicks could not be counted in the record; they are kept for the next time')
      for (const line of ofLinks) add(line.reason, line.linkId, line.path, line.clicks)
    }
  }

  function add(reason: RefusalReason, linkId: number | null, path: string, clicks: number): void {
    const key = `${linkId}:${reason}`
    const known = counted.get(key)
    if (known === undefined) counted.set(key, { reason, linkId, clicks, path })
    else {
      known.clicks += clicks
      known.path = path
    }
  }

  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()
  return {
    count: (reason, linkId, url) => add(reason, linkId, url.split('?', 1)[0]?.slice(0, PATH_CAP) ?? '', 1),
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
