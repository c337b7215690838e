// The clock of the job queue: the system's, with a limit for timers.

import { type Clock, systemClock } from 'pg-boss'

/** Milliseconds that a timer of Node can hold, about 24 days. A longer one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
const LOOK_AGAIN_MS = 60_000

/** When the system's clock is set back by months, the queue waits for months. It looks again each minute, not a thousand times a second. */
export const queueClock: Clock = {
  ...systemClock,
  setTimeout: (run, ms) => systemClock.setTimeout(run, ms > LONGEST_TIMER_MS ? LOOK_AGAIN_MS : ms),
}
