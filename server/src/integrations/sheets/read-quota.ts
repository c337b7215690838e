// Keeps reads below Google's quota: at most so many within any minute, in order.

import { setTimeout as sleep } from 'node:timers/promises'

export interface ReadQuota {
  /** Resolves when one more read may be sent. Throws the signal's reason. */
  take(signal: AbortSignal): Promise<void>
}

const MINUTE_MS = 60_000

export function createReadQuota(perMinute: number, windowMs = MINUTE_MS): ReadQuota {
  const taken: number[] = []
  let queue: Promise<void> = Promise.resolve()

  async function takeNow(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const oldest = taken.at(-perMinute)
    const wait = oldest === undefined ? 0 : oldest + windowMs - performance.now()
    if (wait > 0) await sleep(wait, undefined, { signal })
    taken.push(performance.now())
    taken.splice(0, taken.length - perMinute)
  }

  return {
    take(signal) {
      const read = queue.then(() => takeNow(signal))
      // The next read waits for this one, also if this one is cancelled.
      queue = read.catch(() => undefined)
      return read
    },
  }
}
