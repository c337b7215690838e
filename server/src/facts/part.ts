// Facts as a part of the server: where the role worker runs, one server at a time writes them.

import type { Part } from '../services.ts'
import { measureFacts } from './facts-metrics.ts'
import { holdLease } from './lease.ts'
import { type OnQualified, qualifiedHook } from './qualified-hook.ts'
import { rebuildCommand } from './rebuild-command.ts'
import { settlingHook } from './settling-hook.ts'
import { writeFacts } from './writer.ts'

export const factsPart: Part = {
  name: 'facts',
  roles: ['worker'],
  commands: { 'facts:rebuild': rebuildCommand },
  start(services) {
    const { postgres, clickhouse, log } = services
    measureFacts(services.metrics, postgres)
    const stopping = new AbortController()
    // Asked for at each use: the part that fills it starts later.
    const onQualified: OnQualified = async (trx, players) => qualifiedHook.find(services)?.(trx, players)
    const running = holdLease(postgres.url, log, stopping.signal, (signal) =>
      writeFacts({ postgres, clickhouse, log, signal, onQualified, settle: settlingHook.find(services)?.() }),
    )
    return Promise.resolve({
      async stop() {
        stopping.abort()
        await running
      },
    })
  },
}
