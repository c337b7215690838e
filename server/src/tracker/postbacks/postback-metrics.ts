// Counts postbacks of advertisers by verdict, and calls to partners by outcome and host state.

import { Counter, Gauge, type Registry } from 'prom-client'

/** Counts the answer to an inbound postback: ok, duplicate, or the code of the refusal. */
export type CountPostback = (verdict: string) => void

export function createPostbackMetrics(registry: Registry): CountPostback {
  const received = new Counter({
    name: 'tributary_postbacks_received_total',
    help: 'Postbacks of advertisers by verdict: ok, duplicate, or the code of the refusal',
    labelNames: ['verdict'],
    registers: [registry],
  })
  return (verdict) => received.inc({ verdict })
}

export interface SenderMetrics {
  countCall(outcome: string): void
}

/** `hosts` returns the number of partner hosts that answer and that are paused. */
export function createSenderMetrics(registry: Registry, hosts: () => { open: number; shut: number }): SenderMetrics {
  const sent = new Counter({
    name: 'tributary_postback_calls_total',
    help: 'Calls to partners by outcome: sent, or the reason of the failure',
    labelNames: ['outcome'],
    registers: [registry],
  })
  new Gauge({
    name: 'tributary_partner_hosts',
    help: 'Hosts of partners that are called (open) or paused because they do not answer (shut)',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { open, shut } = hosts()
      this.set({ state: 'open' }, open)
      this.set({ state: 'shut' }, shut)
    },
  })
  return { countCall: (outcome) => sent.inc({ outcome }) }
}
