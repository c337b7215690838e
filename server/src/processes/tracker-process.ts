// A tracker process: answers clicks on the port and passes everything else on. Reports, imports and jobs run in another process, so that
// clicks do not wait for them.

import { once } from 'node:events'
import { createMetrics } from '../api/health.ts'
import { closeAfterAnswers, finishRequests, listenOnPort } from '../api/listening.ts'
import { StartError } from '../lib/app-error.ts'
import { createLog, problemsOf } from '../lib/log.ts'
import { stopAll, type Undo } from '../lib/undo.ts'
import { connectPostgres } from '../postgres/client.ts'
import { startTracing } from '../telemetry.ts'
import { restoreFromFeed } from '../tracker/clicks/first-click-feed.ts'
import { openClickHandler } from '../tracker/clicks/open-click-handler.ts'
import { restoreFromInbox } from '../tracker/clicks/recorded-clicks.ts'
import { runChild, type Start, tell } from './child.ts'
import { createFront } from './front.ts'

/** Connections of the pool, beside one of the inbox and one for notifications. */
const CONNECTIONS = 4
const REPORT_MS = 5000

runChild(async (given) => {
  const undo: Undo[] = []
  try {
    return await startTracking(given, undo)
  } catch (error) {
    await stopAll(undo, createLog(given.config.logLevel, undefined, given.name))
    throw error
  }
})

async function startTracking({ name, config, socketPath }: Start, undo: Undo[]) {
  const log = createLog(config.logLevel, undefined, name)
  const { databaseUrl, trackerKey: key, port } = config
  if (databaseUrl === undefined || key === undefined) throw new StartError('a tracker process needs its supervisor')
  undo.push(await startTracing(config, log, name))
  const postgres = connectPostgres(databaseUrl, log, { max: CONNECTIONS, applicationName: `tributary ${name}` })
  undo.push(() => postgres.close())
  const metrics = createMetrics()
  // Clicks come to this process directly.
  const { trackerKey: _, ...direct } = config
  const clicks = await openClickHandler({ config: direct, log, postgres, metrics }, async (uniqueness, since) => {
    const loaded = await restoreFromFeed(uniqueness, since, { socketPath, key })
    return loaded + (await restoreFromInbox(uniqueness, since, postgres))
  })
  undo.push(() => clicks.stop())
  const server = createFront(clicks, socketPath)
  undo.push(() => finishRequests(server, async () => void (await once(server.close(), 'close'))))
  await listenOnPort(port, async (address) => {
    server.listen({ ...address, reusePort: config.trackers > 1 })
    await once(server, 'listening')
  })
  const report = setInterval(
    () =>
      void metrics
        .getMetricsAsJSON()
        .then((values) => tell({ kind: 'report', report: { metrics: values, problems: problemsOf(log) } })),
    REPORT_MS,
  )
  undo.push(() => clearInterval(report))
  return {
    ready: { kind: 'ready' } as const,
    drain: () => closeAfterAnswers(server),
    stop: () => stopAll(undo, log),
  }
}
