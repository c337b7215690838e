// The server module of facts. Of all servers with the role worker, one at a time writes facts.
import { Gauge, type Registry } from 'prom-client'
import { applyRetention } from '../jobs/apply-retention.ts'
import { checkParts } from '../jobs/check-parts.ts'
import type { Postgres } from '../postgres/client.ts'
import { countChanges } from '../postgres/waiting-work.ts'
import type { ServerModule } from '../server-module.ts'
import type { Services } from '../services.ts'
import { holdLease } from './lease.ts'
import type { OnQualified } from './players/qualification-marks.ts'
import { rebuildCommand } from './rebuild-request.ts'
import { readWatermark, SOURCES } from './watermark.ts'
import { type Beside, writeFacts } from './writer.ts'

/** What other modules add to the writing of facts. */
export interface FactsModuleOptions {
  /** Builds the callback for players who qualify for the first time. */
  readonly onQualified?: (services: Services) => OnQualified
  /** Builds what runs beside the writing of facts. */
  readonly beside?: (services: Services) => Beside
}

/** The server module that hands over clicks, projects changes and rebuilds facts; it runs in workers. */
export const createFactsModule = ({ onQualified, beside }: FactsModuleOptions = {}): ServerModule => ({
  name: 'facts',
  roles: ['worker'],
  jobs: [applyRetention, checkParts],
  commands: { 'facts:rebuild': rebuildCommand },
  start(services) {
    const { postgres, clickhouse, log } = services
    measureFacts(services.metrics, postgres)
    const stopping = new AbortController()
    const running = holdLease(postgres.url, log, stopping.signal, (signal) =>
      writeFacts({
        postgres,
        clickhouse,
        log,
        signal,
        onQualified: onQualified?.(services),
        beside: beside?.(services),
      }),
    )
    return Promise.resolve({
      async stop() {
        stopping.abort()
        await running
      },
    })
  },
})

/** Registers gauges of freshness and of waiting changes. */
function measureFacts(metrics: Registry, postgres: Postgres): void {
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
      waiting.set(await countChanges(postgres.pool))
    },
  })
}
