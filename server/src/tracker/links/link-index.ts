// All partner offers in memory, by the UUID of their tracking link. Complete before the first request. A committed change takes effect when its
// notification arrives; after an interruption of notifications everything is read again.

import { setTimeout as sleep } from 'node:timers/promises'
import { buildAdvertiserTemplate, parseTemplate, type Template } from '@tributary/contract/macros'
import type { Logger } from '../../lib/log.ts'
import type { Postgres } from '../../postgres/client.ts'
import type { Landing, Link, Links } from './link.ts'
import { createLinkStore, type LinkStore } from './link-store.ts'

export interface LinkIndex extends Links {
  /** Milliseconds in which a visitor of a link is unique once. */
  uniquenessWindow(): number
  readonly size: number
  stop(): Promise<void>
}

const RETRY_MS = 200

/** The advertiser template of a link that has none of its own. */
export function buildTemplate(link: Link, landing: Landing | null): Template {
  const { advertiser, presenceId } = link.offer
  const domain = advertiser.presences.get(presenceId)?.domain ?? advertiser.domain
  return parseTemplate(buildAdvertiserTemplate({ domain, landing: landing?.value }))
}

/** Resolves when every link is in. */
export async function openLinkIndex(postgres: Postgres, log: Logger): Promise<LinkIndex> {
  let store: LinkStore
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
        if (isWhole) store = await createLinkStore(postgres.pool)
        else await store.refresh(changes)
        templates.clear()
      } catch (error) {
        log.warn({ error }, 'changed links could not be read; trying again')
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
  store = await createLinkStore(postgres.pool)
  isReloading = false
  log.info({ links: store.byUuid.size }, 'links are in memory')

  return {
    find: (uuid) => store.byUuid.get(uuid),
    landing: (id) => store.landings.get(id),
    template(link, landing) {
      if (link.override !== null) return link.override
      const ofPresence = templates.get(link.offer.presenceId)
      const known = ofPresence?.get(landing?.id ?? 0)
      if (known !== undefined) return known
      const template = buildTemplate(link, landing)
      if (ofPresence !== undefined) ofPresence.set(landing?.id ?? 0, template)
      else templates.set(link.offer.presenceId, new Map([[landing?.id ?? 0, template]]))
      return template
    },
    uniquenessWindow: () => store.uniquenessHours * 3_600_000,
    get size() {
      return store.byUuid.size
    },
    async stop() {
      isStopped = true
      await subscription.stop().catch((error: unknown) => log.debug({ error }, 'the notifications of links had ended'))
      await work
    },
  }
}
