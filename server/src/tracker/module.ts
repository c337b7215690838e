// The server modules of the tracker and of the postback sender. The tracker's handlers run before the framework to save CPU time on each click.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { OnQualified } from '../facts/players/qualification-marks.ts'
import { AppError } from '../lib/app-error.ts'
import type { ServerModule } from '../server-module.ts'
import type { Services } from '../services.ts'
import { serveClick } from './clicks/click-handler.ts'
import { serveFirstClicks } from './clicks/first-click-feed.ts'
import { startLivePostbacks } from './postbacks/live-postbacks.ts'
import { servePostback } from './postbacks/postback-handler.ts'
import { startPostbackSender } from './postbacks/postback-sender.ts'
import { writeQualificationPostbacks } from './postbacks/qualification-postbacks.ts'
import { postbackSenders, startTracker, type Tracker, trackers } from './tracker.ts'

export const trackerModule: ServerModule = {
  name: 'tracker',
  roles: ['tracker'],
  async start(services) {
    const tracker = await startTracker(services)
    trackers.fill(services, tracker)
    services.readiness.add('clicks', async () => {
      if (tracker.inbox.isFailing) throw new AppError('unavailable')
    })
    return tracker
  },
  bareRoutes(app, services) {
    routeBeforeFramework(app.server, services)
  },
}

/** The sender runs in the role worker. A tracker in the same process wakes it. */
export const postbackSenderModule: ServerModule = {
  name: 'postbacks to partners',
  roles: ['worker'],
  async start(services) {
    const { config, log, postgres } = services
    const events = startLivePostbacks(postgres, log)
    const sender = startPostbackSender({
      pool: postgres.pool,
      log,
      metrics: services.metrics,
      allowsPrivateTargets: config.allowPrivateTargets,
      secret: config.secret,
      onOutcome: events.add,
    })
    postbackSenders.fill(services, sender)
    return {
      async stop() {
        await sender.stop()
        await events.stop()
      },
    }
  },
}

/** Writes postbacks of qualified players and wakes the sender of this process, if there is one. Senders elsewhere poll for them. */
export const sendQualificationPostbacks =
  (services: Services): OnQualified =>
  async (trx, players) => {
    if ((await writeQualificationPostbacks(trx, players)) > 0) postbackSenders.find(services)?.wake()
  }

type Listener = (request: IncomingMessage, response: ServerResponse) => void

function routeBeforeFramework(server: Server, services: Services): void {
  const tracker = trackers.of(services)
  const { clickhouse, log, config } = services
  const feed = config.trackerKey === undefined ? undefined : { clickhouse, log, key: config.trackerKey }
  const behind = server.listeners('request') as Listener[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const isServed =
      route(request, response, tracker) || (feed !== undefined && serveFirstClicks(request, response, feed))
    if (!isServed) for (const listener of behind) listener.call(server, request, response)
  })
}

function route(request: IncomingMessage, response: ServerResponse, tracker: Tracker): boolean {
  const { url = '' } = request
  if (url.startsWith('/postback/')) {
    void servePostback(request, response, tracker)
    return true
  }
  if (!url.startsWith('/c/')) return false
  serveClick(request, response, tracker)
  return true
}
