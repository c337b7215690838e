// Clicks leave the inbox some time after they were handed over, a bounded number at a time; writers that are gone leave with their last one.

import type { Postgres } from '../postgres/client.ts'
import { lowestId } from './click-id-time.ts'

/** The tracker still finds a fresh click here while ClickHouse is busy. */
const GRACE_MS = 600_000
const AT_ONCE = 10_000

/** Returns whether there may be more to drop. */
export async function dropLoadedClicks(postgres: Postgres, now: number, graceMs = GRACE_MS): Promise<boolean> {
  const { rowCount } = await postgres.pool.query(
    `delete from click_inbox where id = any(array(
      select c.id from click_inbox c join click_writer w on w.id = c.writer
      where c.id < $1 and c.id <= w.loaded_id order by c.id limit ${AT_ONCE}))`,
    [lowestId(now - graceMs)],
  )
  return rowCount === AT_ONCE
}

/** The loader enters a writer again that was only silent. */
export async function dropSilentWriters(postgres: Postgres): Promise<void> {
  await postgres.pool.query(
    `delete from click_writer w where w.started_at < now() - interval '1 day'
      and not exists (select from click_inbox c where c.writer = w.id)`,
  )
}
