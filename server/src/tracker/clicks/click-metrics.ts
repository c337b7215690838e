// Counts clicks by outcome and measures the time to the redirect. Every click pays for it, so it only adds to numbers; a scrape reads them.

import { Counter, Histogram, type Registry } from 'prom-client'
import type { RejectionReason } from './click-decision.ts'

export type ClickOutcome = 'redirected' | 'not_recorded' | RejectionReason

export interface ClickMetrics {
  count(outcome: ClickOutcome): void
  /** A redirect was sent so many milliseconds after its request arrived. */
  redirected(milliseconds: number): void
}

/** Upper bounds in milliseconds. */
const BOUNDS = [1, 2, 5, 10, 20, 30, 50, 100, 250, 1000]

export function createClickMetrics(registry: Registry): ClickMetrics {
  // There from the beginning, so that the first burst is a rise.
  const counts = new Map<ClickOutcome, number>([
    ['redirected', 0],
    ['not_recorded', 0],
  ])
  new Counter({
    name: 'tributary_clicks_total',
    help: 'Clicks by outcome: redirected, not_recorded (answered 503), or the reason of the rejection',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, count] of counts) this.inc({ outcome }, count)
    },
  })
  const histogram = new Histogram({
    name: 'tributary_redirect_seconds',
    help: 'Time from the request of a click to its redirect',
    buckets: BOUNDS.map((bound) => bound / 1000),
    registers: [registry],
  })
  const count = (outcome: ClickOutcome): void => void counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return {
    count,
    redirected(milliseconds) {
      count('redirected')
      histogram.observe(milliseconds / 1000)
    },
  }
}
