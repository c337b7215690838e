// Starts the tracker and the state that its handlers share. Other modules find it in the slot.

import { createSlot } from '../lib/slot.ts'
import type { Services } from '../services.ts'
import { type OpenClickHandler, openClickHandler } from './clicks/open-click-handler.ts'
import { createClickFinder, restoreUniqueness } from './clicks/recorded-clicks.ts'
import { applyPostbacks } from './postbacks/inbound-postbacks.ts'
import { startLivePostbacks } from './postbacks/live-postbacks.ts'
import { createPostbackBatches } from './postbacks/postback-batches.ts'
import type { PostbackHandler } from './postbacks/postback-handler.ts'
import { createPostbackMetrics } from './postbacks/postback-metrics.ts'
import type { PostbackSender } from './postbacks/postback-sender.ts'

export type Tracker = OpenClickHandler & PostbackHandler

export const trackers = createSlot<Tracker>('tracker')
export const postbackSenders = createSlot<PostbackSender>('sender of postbacks')

/** Starts the handlers of clicks and postbacks. Behind tracker processes, no click arrives here. */
export async function startTracker(services: Services): Promise<Tracker> {
  const { config, log, postgres } = services
  const clicks = await openClickHandler(services, async (uniqueness, since) =>
    config.trackerKey === undefined ? restoreUniqueness(uniqueness, since, services) : 0,
  )
  const events = startLivePostbacks(postgres, log)
  const findClicks = createClickFinder(services.clickhouse)
  return {
    ...clicks,
    postbackMetrics: createPostbackMetrics(services.metrics),
    recordPostback: createPostbackBatches((arrivals) =>
      postgres.withRepeatedTransaction((trx) => applyPostbacks(trx, arrivals, findClicks)),
    ),
    onWaiting: () => postbackSenders.find(services)?.wake(),
    events,
    async stop() {
      await events.stop()
      await clicks.stop()
    },
  }
}
