// How far the facts are and what waits, for whoever watches the installation.

import { Gauge, type Registry } from 'prom-client'
import type { Postgres } from '../postgres/client.ts'
import { readWatermark, SOURCES } from './watermark.ts'

export function measureFacts(metrics: Registry, postgres: Postgres): void {
  const dataTo = new Gauge({
    name: 'tributary_facts_data_to_seconds',
    help: 'Moment up to which reports know everything, as seconds since 1970',
    labelNames: ['source'],
    registers: [metrics],
    async collect() {
      const watermark = await readWatermark(postgres)
      for (const source of SOURCES) dataTo.set({ source }, watermark[source].getTime() / 1000)
    },
  })
  const waiting = new Gauge({
    name: 'tributary_facts_waiting_changes',
    help: 'Changes of the record that reports do not know yet',
    registers: [metrics],
    async collect() {
      const { rows } = await postgres.pool.query<{ count: number }>('select count(*) as count from outbox')
      waiting.set(rows[0]?.count ?? 0)
    },
  })
}
