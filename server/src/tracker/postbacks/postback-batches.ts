// Writes postbacks in batches without a timer: those that arrive during a write form the next batch. Each is answered after its commit.
// If a batch fails, its postbacks are written one by one, so that a faulty one does not affect the others.

import { asUnavailable } from '../../postgres/failure.ts'
import type { AppliedPostback, Arrival } from './inbound-postbacks.ts'

/** Must apply the arrivals in one transaction and return the results in the same order. */
export type ApplyArrivals = (arrivals: readonly Arrival[]) => Promise<readonly AppliedPostback[]>

interface Waiting {
  readonly arrival: Arrival
  resolve(applied: AppliedPostback): void
  reject(error: unknown): void
}

const BATCH_SIZE = 200
/** With two running batches, one reads its data while the other commits. */
const MAX_RUNNING = 2

export function createPostbackBatches(apply: ApplyArrivals): (arrival: Arrival) => Promise<AppliedPostback> {
  const waiting: Waiting[] = []
  let running = 0

  async function run(): Promise<void> {
    running++
    while (waiting.length > 0) await settle(waiting.splice(0, BATCH_SIZE))
    running--
  }

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const applied = await apply(batch.map(({ arrival }) => arrival))
      for (const [index, one] of batch.entries()) answer(one, applied[index])
    } catch (error) {
      if (batch.length === 1 || asUnavailable(error) !== undefined) for (const one of batch) one.reject(error)
      else for (const one of batch) await settle([one])
    }
  }

  function answer(one: Waiting, applied: AppliedPostback | undefined): void {
    if (applied === undefined) one.reject(new Error('an arrival was left out of its batch'))
    else one.resolve(applied)
  }

  return (arrival) =>
    new Promise((resolve, reject) => {
      waiting.push({ arrival, resolve, reject })
      if (running < MAX_RUNNING) void run()
    })
}
