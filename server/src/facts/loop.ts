// Repeats a step until it is aborted, and runs long work in slices. A failed step is logged and repeated after a longer pause each time.

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../lib/log.ts'
import { ignore } from '../lib/promises.ts'

/** How often a loop repeats, and when it ends. */
export interface LoopOptions {
  readonly name: string
  readonly log: Logger
  readonly signal: AbortSignal
  /** Milliseconds between the starts of two steps if nothing is left to do. */
  readonly every: number
}

const FIRST_DELAY_MS = 500
const LAST_DELAY_MS = 10_000

/** `step` returns true if more work is ready. Resolves after the signal, once the running step has ended. */
export async function repeat(step: () => Promise<boolean>, { name, log, signal, every }: LoopOptions): Promise<void> {
  let delay = FIRST_DELAY_MS
  while (!signal.aborted) {
    const began = performance.now()
    try {
      const hasMore = await step()
      delay = FIRST_DELAY_MS
      if (!hasMore) await pause(Math.max(0, every - (performance.now() - began)), signal)
    } catch (error) {
      if (signal.aborted) return
      log.error({ error, retry_in_ms: delay }, `${name} failed`)
      await pause(delay, signal)
      delay = Math.min(delay * 2, LAST_DELAY_MS)
    }
  }
}

/** Resolves after the time, or at once if aborted. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).then(ignore, ignore)

const SLICE_MS = 8

/** Works on items in short slices, so that clicks and requests of the same process do not wait. Returns the results in order. */
export async function inSlices<T, R>(items: readonly T[], work: (item: T) => R): Promise<R[]> {
  const results: R[] = []
  let began = performance.now()
  for (const item of items) {
    results.push(work(item))
    if (performance.now() - began > SLICE_MS) {
      await nextTurn()
      began = performance.now()
    }
  }
  return results
}
