// Stores all partner offers in memory by the UUID of their tracking link. It must be complete before the first request. A change takes effect
// when its notification arrives; after an interruption of notifications all rows are read again.

import { setTimeout as sleep } from 'node:timers/promises'
import { buildAdvertiserTemplate, parseTemplate, type Template } from '@tributary/contract/macros'
import type { Logger } from '../../lib/log.ts'
import type { Postgres } from '../../postgres/client.ts'
import type { Landing, OfferPartner, OfferPartners } from './offer-partner.ts'
import { createOfferPartnerStore, type OfferPartnerStore } from './offer-partner-store.ts'

export interface OfferPartnerIndex extends OfferPartners {
  /** The length of the uniqueness window in milliseconds. */
  uniquenessWindow(): number
  readonly size: number
  stop(): Promise<void>
}

const RETRY_MS = 200

/** Builds the advertiser template of a partner offer without its own template. */
export function buildTemplate(offerPartner: OfferPartner, landing: Landing | null): Template {
  const { advertiser, presenceId } = offerPartner.offer
  const domain = advertiser.presences.get(presenceId)?.domain ?? advertiser.domain
  return parseTemplate(buildAdvertiserTemplate({ domain, landing: landing?.value }))
}

/** Resolves when all partner offers are in memory. */
export async function openOfferPartnerIndex(postgres: Postgres, log: Logger): Promise<OfferPartnerIndex> {
  let store: OfferPartnerStore
  const templates = new Map<number, Map<number, Template>>()
  const pending = new Set<string>()
  let isReloading = true
  let work: Promise<void> | undefined
  let isStopped = false

  async function catchUp(): Promise<void> {
    while (!isStopped && (isReloading || pending.size > 0)) {
      const isWhole = isReloading
      const changes = [...pending]
      pending.clear()
      isReloading = false
      try {
        if (isWhole) store = await createOfferPartnerStore(postgres.pool)
        else await store.refresh(changes)
        templates.clear()
      } catch (error) {
        log.warn({ error }, 'changed partner offers could not be read; trying again')
        isReloading ||= isWhole
        for (const change of changes) pending.add(change)
        await sleep(RETRY_MS)
      }
    }
  }

  function schedule(): void {
    work ??= catchUp().finally(() => {
      work = undefined
      if (!isStopped && (isReloading || pending.size > 0)) schedule()
    })
  }

  const subscription = await postgres.listen(
    'links_changed',
    (payload) => {
      pending.add(payload)
      schedule()
    },
    () => {
      isReloading = true
      schedule()
    },
  )
  store = await createOfferPartnerStore(postgres.pool)
  isReloading = false
  log.info({ offerPartners: store.byUuid.size }, 'partner offers are in memory')

  return {
    find: (uuid) => store.byUuid.get(uuid),
    landing: (id) => store.landings.get(id),
    template(offerPartner, landing) {
      if (offerPartner.override !== null) return offerPartner.override
      const ofPresence = templates.get(offerPartner.offer.presenceId)
      const cached = ofPresence?.get(landing?.id ?? 0)
      if (cached !== undefined) return cached
      const template = buildTemplate(offerPartner, landing)
      if (ofPresence !== undefined) ofPresence.set(landing?.id ?? 0, template)
      else templates.set(offerPartner.offer.presenceId, new Map([[landing?.id ?? 0, template]]))
      return template
    },
    uniquenessWindow: () => store.uniquenessHours * 3_600_000,
    get size() {
      return store.byUuid.size
    },
    async stop() {
      isStopped = true
      await subscription
        .stop()
        .catch((error: unknown) => log.debug({ error }, 'the notifications of partner offers had ended'))
      await work
    },
  }
}
