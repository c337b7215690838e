// Reports the progress of an import: on its row, and as live events to the user who requested it.

import { ignore } from '../../lib/promises.ts'
import type { Postgres } from '../../postgres/client.ts'
import { publishLive } from '../../postgres/live.ts'
import { type ReportTask, writeProgress } from './report-row.ts'

export interface Progress {
  /** Reports a percentage. */
  at(percent: number): void
  /** Passes pieces on and reports their progress between two percentages. */
  following<T extends { progress: number }>(pieces: AsyncIterable<T>, from: number, to: number): AsyncGenerator<T>
  /** Resolves when the last report is written. */
  settle(): Promise<void>
  end(state: 'done' | 'failed', message?: string): void
}

const PAUSE_MS = 400
const IMPORT_JOB = 'player_import'

export function createProgress(postgres: Postgres, { id, requestedBy }: ReportTask): Progress {
  let last = 0
  let writing: Promise<unknown> = Promise.resolve()
  const publish = (state: 'running' | 'done' | 'failed', done: number, message?: string): Promise<unknown> =>
    requestedBy === null
      ? Promise.resolve()
      : publishLive(
          postgres.db,
          'job',
          { job: IMPORT_JOB, id: String(id), state, done, total: 100, ...(message === undefined ? {} : { message }) },
          { users: [requestedBy] },
        )
  const at = (percent: number): void => {
    const now = Date.now()
    if (now - last < PAUSE_MS) return
    last = now
    const done = Math.min(99, Math.floor(percent))
    // Not awaited, so that a failed report of progress does not fail the import.
    writing = writing
      .then(() => Promise.all([writeProgress(postgres.pool, id, done), publish('running', done)]))
      .catch(ignore)
  }
  return {
    at,
    async *following(pieces, from, to) {
      for await (const piece of pieces) {
        yield piece
        at(from + (to - from) * piece.progress)
      }
    },
    async settle() {
      await writing
    },
    end(state, message) {
      writing = writing.then(() => publish(state, 100, message)).catch(ignore)
    },
  }
}
