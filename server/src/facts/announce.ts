// Tells open screens that reports are being recomputed, and that they are current again. Screens ask for the details themselves.

import type { Postgres } from '../postgres/client.ts'
import { publishLive } from '../postgres/live.ts'

/** Younger changes are not announced: facts follow them within this time. */
export const PATIENCE = '3 seconds'

const BUSY = `select exists (select from (select created_at from outbox order by id limit 1) as oldest
    where created_at < now() - $1::interval)
  or exists (select from facts_rebuild where state in ('waiting', 'running')) as busy`

/** Each call announces a change of state since the last one. The first call of a process only remembers the state. */
export function createAnnouncer(postgres: Postgres): () => Promise<void> {
  let wasBusy: boolean | undefined
  return async () => {
    const { rows } = await postgres.pool.query<{ busy: boolean }>(BUSY, [PATIENCE])
    const isBusy = rows[0]?.busy === true
    if (wasBusy !== undefined && isBusy !== wasBusy)
      await publishLive(postgres.db, 'report_cache', {}, { everyone: true })
    wasBusy = isBusy
  }
}
