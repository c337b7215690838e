// Tells open screens when reports begin to be recomputed and when they are current again. What exactly is under way they ask for themselves.

import type { Postgres } from '../postgres/client.ts'
import { publishLive } from '../postgres/live.ts'

/** Changes younger than this are on their way and nobody's concern. */
export const PATIENCE = '3 seconds'

const BUSY = `select exists (select from (select created_at from outbox order by id limit 1) as oldest
    where created_at < now() - $1::interval)
  or exists (select from facts_rebuild where state in ('waiting', 'running')) as busy`

/** Looks once; a change of state since the last look is told. The first look of a process only remembers. */
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
