// Publishes live events of new and changed postbacks. Events are collected briefly, so that a flood costs a few notifications per second.
// An event has only ids; delivery decides who may receive it.

import type { LiveMessage } from '@tributary/contract/live'
import type { Logger } from '../../lib/log.ts'
import type { Postgres } from '../../postgres/client.ts'
import { publishAllLive } from '../../postgres/live.ts'

export interface LivePostbacks {
  readonly add: (id: number, partnerId: number | null) => void
  stop(): Promise<void>
}

const EVERY_MS = 300
/** Ids beyond these are omitted: any event makes a screen reload its list, and the ids only mark what is new. */
const IDS_PER_PARTNER = 50
const MAX_PARTNERS = 100

export function startLivePostbacks(postgres: Postgres, log: Logger): LivePostbacks {
  let byPartner = new Map<number | null, number[]>()
  let timer: NodeJS.Timeout | undefined

  async function publish(): Promise<void> {
    timer = undefined
    const messages: LiveMessage[] = [...byPartner].map(([partner, ids]) => ({
      topic: 'postback',
      payload: { ids },
      to: { partner },
    }))
    byPartner = new Map()
    try {
      await publishAllLive(postgres.db, messages)
    } catch (error) {
      log.debug({ error }, 'postback events could not be published')
    }
  }

  return {
    add(id, partnerId) {
      const ids = byPartner.get(partnerId)
      if (ids === undefined) {
        if (byPartner.size < MAX_PARTNERS) byPartner.set(partnerId, [id])
      } else if (ids.length < IDS_PER_PARTNER && !ids.includes(id)) ids.push(id)
      timer ??= setTimeout(() => void publish(), EVERY_MS)
    },
    async stop() {
      clearTimeout(timer)
      if (byPartner.size > 0) await publish()
    },
  }
}
