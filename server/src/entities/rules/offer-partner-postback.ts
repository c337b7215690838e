// Postback URLs of a partner offer: the main one is created with it and cannot be deleted.

import { buildPostbackUrl } from '@tributary/contract/macros'
import type { EntityRules } from '../engine/model/entity-rules.ts'

export const offerPartnerPostbackRules: EntityRules = {
  async prepare(change) {
    if (change.action === 'create') change.values.kind ??= 'extra'
    else if (change.before?.kind === 'main' && change.valueOf('kind') !== 'main') change.refuse('kind', 'fixed')
  },
  async prepareRemoval(change) {
    if (change.before?.kind === 'main') change.refuse('kind', 'fixed')
  },
  async derive(_db, rows, { engines }) {
    const { trackerUrl } = engines.config
    for (const row of rows) row.url = buildPostbackUrl({ uuid: String(row.uuid), trackerUrl })
  },
}
