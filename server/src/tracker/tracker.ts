// Starts the tracker and the state that its handlers share. Other modules find it in the slot.

import { createUniqueness } from '../facts/clicks/uniqueness.ts'
import { createSlot } from '../lib/slot.ts'
import type { Services } from '../services.ts'
import type { ClickHandler } from './clicks/click-handler.ts'
import { createClickIds } from './clicks/click-id.ts'
import { ClickInbox } from './clicks/click-inbox.ts'
import { createClickMetrics } from './clicks/click-metrics.ts'
import { openIpCountry } from './clicks/ip-country.ts'
import { createClickFinder, restoreUnconfirmed, restoreUniqueness } from './clicks/recorded-clicks.ts'
import { createRejectionLog } from './clicks/rejection-log.ts'
import { createVisitors } from './clicks/visitor.ts'
import { type OfferPartnerIndex, openOfferPartnerIndex } from './links/offer-partner-index.ts'
import { applyPostbacks } from './postbacks/inbound-postbacks.ts'
import { startPostbackEvents } from './postbacks/live-postbacks.ts'
import { createPostbackBatches } from './postbacks/postback-batches.ts'
import type { PostbackHandler } from './postbacks/postback-handler.ts'
import { createPostbackMetrics } from './postbacks/postback-metrics.ts'
import type { PostbackSender } from './postbacks/postback-sender.ts'

export interface Tracker extends ClickHandler, PostbackHandler {
  readonly offerPartners: OfferPartnerIndex
  stop(): Promise<void>
}

export const trackers = createSlot<Tracker>('tracker')
export const postbackSenders = createSlot<PostbackSender>('sender of postbacks')

/** Resolves when all data that clicks need is in memory. */
export async function startTracker(services: Services): Promise<Tracker> {
  const { config, log, postgres } = services
  const offerPartners = await openOfferPartnerIndex(postgres, log)
  const uniqueness = createUniqueness(() => offerPartners.uniquenessWindow())
  const restored = await restoreUniqueness(uniqueness, Date.now() - offerPartners.uniquenessWindow(), services)
  const inbox = await ClickInbox.open({
    url: postgres.url,
    log,
    onDoubt: (first, last) => restoreUnconfirmed(uniqueness, postgres, first, last),
  })
  const rejections = createRejectionLog(postgres.pool, log)
  const events = startPostbackEvents(postgres, log)
  const findClicks = createClickFinder(services.clickhouse)
  log.info(
    { offerPartners: offerPartners.size, visitors: restored, writer: inbox.writer },
    'the tracker accepts clicks',
  )
  return {
    offerPartners,
    uniqueness,
    inbox,
    rejections,
    metrics: createClickMetrics(services.metrics),
    postbackMetrics: createPostbackMetrics(services.metrics),
    log,
    visitors: createVisitors(openIpCountry(config.geoipDbPath)),
    ids: createClickIds(),
    proxies: config.trustProxy,
    recordPostback: createPostbackBatches((arrivals) =>
      postgres.withRepeatedTransaction((trx) => applyPostbacks(trx, arrivals, findClicks)),
    ),
    onWaiting: () => postbackSenders.find(services)?.wake(),
    events,
    async stop() {
      await events.stop()
      await inbox.stop()
      await rejections.stop()
      await offerPartners.stop()
    },
  }
}
