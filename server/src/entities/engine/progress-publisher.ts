// Sends the progress of a long request to its user as live events under the request's id. A failed event does not affect the request.

import { ignore } from '../../lib/promises.ts'
import type { Postgres } from '../../postgres/client.ts'
import { publishLive } from '../../postgres/live.ts'
import type { RequestContext } from './model/request-context.ts'

/** Sends the progress of a long request to the screen that waits for it. */
export interface ProgressPublisher {
  /** Rows done of all rows. At most one event every 300 ms is sent. */
  publish(done: number, total: number): void
  /** Resolves when the last event was sent. */
  settle(): Promise<void>
}

const MIN_INTERVAL_MS = 300

/** `job` names the kind of work in the events. */
export function createProgressPublisher(
  postgres: Postgres,
  job: string,
  { userId, requestId }: Pick<RequestContext, 'userId' | 'requestId'>,
): ProgressPublisher {
  let last = 0
  let sending: Promise<unknown> = Promise.resolve()
  return {
    publish(done, total) {
      const now = Date.now()
      if (now - last < MIN_INTERVAL_MS) return
      last = now
      const message = { job, id: requestId, state: 'running', done, total } as const
      sending = sending.then(() => publishLive(postgres.db, 'job', message, { users: [userId] })).catch(ignore)
    },
    async settle() {
      await sending
    },
  }
}
