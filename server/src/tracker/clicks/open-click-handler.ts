// Opens what a click needs: partner offers and first clicks in memory, and the inbox.
import { countHops } from '../../config.ts'
import { createUniqueness, type Uniqueness } from '../../facts/clicks/uniqueness.ts'
import type { Services } from '../../services.ts'
import { type OfferPartnerIndex, openOfferPartnerIndex } from '../links/offer-partner-index.ts'
import type { ClickHandler } from './click-handler.ts'
import { createClickIds } from './click-id.ts'
import { ClickInbox } from './click-inbox.ts'
import { createClickMetrics } from './click-metrics.ts'
import { openIpCountry } from './ip-country.ts'
import { restoreUnconfirmed } from './recorded-clicks.ts'
import { createRejectionLog } from './rejection-log.ts'
import { createVisitors } from './visitor.ts'

export interface OpenClickHandler extends ClickHandler {
  readonly offerPartners: OfferPartnerIndex
  stop(): Promise<void>
}

/** Restores the first clicks since `since` (milliseconds). Returns their number. */
type RestoreFirstClicks = (uniqueness: Uniqueness, since: number) => Promise<number>

/** Opens what a click needs. Resolves when it is in memory. */
export async function openClickHandler(
  { config, log, postgres, metrics }: Pick<Services, 'config' | 'log' | 'postgres' | 'metrics'>,
  restore: RestoreFirstClicks,
): Promise<OpenClickHandler> {
  const offerPartners = await openOfferPartnerIndex(postgres, log)
  const uniqueness = createUniqueness(() => offerPartners.uniquenessWindow())
  const restored = await restore(uniqueness, Date.now() - offerPartners.uniquenessWindow())
  const inbox = await ClickInbox.open({
    url: postgres.url,
    log,
    onDoubt: (first, last) => restoreUnconfirmed(uniqueness, postgres, first, last),
  })
  const rejections = createRejectionLog(postgres.pool, log)
  log.info(
    { offerPartners: offerPartners.size, visitors: restored, writer: inbox.writer },
    'the tracker accepts clicks',
  )
  return {
    offerPartners,
    uniqueness,
    inbox,
    rejections,
    metrics: createClickMetrics(metrics),
    log,
    visitors: createVisitors(openIpCountry(config.geoipDbPath)),
    ids: createClickIds(),
    proxies: countHops(config),
    async stop() {
      await inbox.stop()
      await rejections.stop()
      await offerPartners.stop()
    },
  }
}
