// Sends the progress of a long request as live events to its user, under the request's id. The work neither waits for nor fails with it.

import { ignore } from '../../lib/promises.ts'
import type { Postgres } from '../../postgres/client.ts'
import { publishLive } from '../../postgres/live.ts'
import type { RequestContext } from './model/request-context.ts'

export interface ProgressPublisher {
  /** Rows done of all rows. At most one event every 300 ms is sent. */
  publish(done: number, total: number): void
  /** Resolves when the last event was sent. */
  settle(): Promise<void>
}

const PAUSE_MS = 300

/** `job` names the kind of work in the events. */
export function createProgressPublisher(
  postgres: Postgres,
  job: string,
  { userId, requestId }: Pick<RequestContext, 'userId' | 'requestId'>,
): ProgressPublisher {
  let last = 0
  let telling: Promise<unknown> = Promise.resolve()
  return {
    publish(done, total) {
      const now = Date.now()
      if (now - last < PAUSE_MS) return
      last = now
      const message = { job, id: requestId, state: 'running', done, total } as const
      telling = telling.then(() => publishLive(postgres.db, 'job', message, { users: [userId] })).catch(ignore)
    },
    async settle() {
      await telling
    },
  }
}
