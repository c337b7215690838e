// A running tracker: what its doors share. Others reach it by the slot.

import { createUniqueness } from '../facts/clicks/uniqueness.ts'
import { createSlot } from '../lib/slot.ts'
import type { Services } from '../services.ts'
import type { ClickDoor } from './click-door.ts'
import { createClickIds } from './click-id.ts'
import { ClickInbox } from './click-inbox.ts'
import { openIpCountry } from './ip-country.ts'
import { type LinkIndex, openLinkIndex } from './link-index.ts'
import { startPostbackNews } from './live-postbacks.ts'
import { createPostbackBatches } from './postback-batches.ts'
import type { PostbackDoor } from './postback-door.ts'
import { applyPostbacks } from './postback-in.ts'
import type { PostbackSender } from './postback-out.ts'
import { createClickFinder, restoreDoubtful, restoreUniqueness } from './recorded-clicks.ts'
import { createRefusalLog } from './refusal-log.ts'
import { createVisitors } from './visitor.ts'

export interface Tracker extends ClickDoor, PostbackDoor {
  readonly links: LinkIndex
  stop(): Promise<void>
}

export const trackers = createSlot<Tracker>('tracker')
export const postbackSenders = createSlot<PostbackSender>('sender of postbacks')

/** Resolves when everything that a click needs is in memory. */
export async function startTracker(services: Services): Promise<Tracker> {
  const { config, log, postgres } = services
  const links = await openLinkIndex(postgres, log)
  const uniqueness = createUniqueness(() => links.uniquenessWindow())
  const restored = await restoreUniqueness(uniqueness, Date.now() - links.uniquenessWindow(), services)
  const inbox = await ClickInbox.open({
    url: postgres.url,
    log,
    onDoubt: (first, last) => restoreDoubtful(uniqueness, postgres, first, last),
  })
  const refusals = createRefusalLog(postgres.pool, log)
  const news = startPostbackNews(postgres, log)
  const findClicks = createClickFinder(services.clickhouse)
  log.info({ links: links.size, visitors: restored, writer: inbox.writer }, 'the tracker takes clicks')
  return {
    links,
    uniqueness,
    inbox,
    refusals,
    log,
    visitors: createVisitors(openIpCountry(config.geoipDbPath)),
    ids: createClickIds(),
    proxies: config.trustProxy,
    takePostback: createPostbackBatches((arrivals) =>
      postgres.withRepeatedTransaction((trx) => applyPostbacks(trx, arrivals, findClicks)),
    ),
    onWaiting: () => postbackSenders.find(services)?.wake(),
    news,
    async stop() {
      await news.stop()
      await inbox.stop()
      await refusals.stop()
      await links.stop()
    },
  }
}
