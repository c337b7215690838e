// How far something is that a person waits for, told to that person alone under the id of the request: a screen that has chosen the id knows it
// for its own. Nobody waits for the telling, and nothing fails by it.

import { ignore } from '../../lib/ignore.ts'
import type { Postgres } from '../../postgres/client.ts'
import { publishLive } from '../../postgres/live.ts'
import type { RequestContext } from './model/request-context.ts'

export interface ProgressPublisher {
  publish(done: number, total: number): void
  /** What was told last has been sent. */
  settle(): Promise<void>
}

const PAUSE_MS = 300

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
