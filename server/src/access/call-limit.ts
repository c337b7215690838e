// Limits calls per API key and minute. Each process counts on its own.
import { AppError } from '../lib/app-error.ts'

const WINDOW_MS = 60_000

export interface CallLimit {
  /** Counts one call. Throws `too_many_requests` with `retry_after` in seconds. */
  count(id: number): void
}

export function createCallLimit(limit: number, clock: () => number = Date.now): CallLimit {
  let began = 0
  const counts = new Map<number, number>()
  return {
    count(id) {
      const now = clock()
      if (now - began >= WINDOW_MS) {
        counts.clear()
        began = now - (now % WINDOW_MS)
      }
      const calls = (counts.get(id) ?? 0) + 1
      counts.set(id, calls)
      if (calls > limit)
        throw new AppError('too_many_requests', { retry_after: Math.ceil((began + WINDOW_MS - now) / 1000) })
    },
  }
}
