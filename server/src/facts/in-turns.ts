// Runs long work in short slices, so that clicks and requests of the same process never wait for it.

import { setImmediate as nextTurn } from 'node:timers/promises'

const TURN_MS = 8

/** The results of all items, in order. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => R): Promise<R[]> {
  const results: R[] = []
  let began = performance.now()
  for (const item of items) {
    results.push(work(item))
    if (performance.now() - began > TURN_MS) {
      await nextTurn()
      began = performance.now()
    }
  }
  return results
}
