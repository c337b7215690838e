// Postback addresses of a link: the main one is made with the link and stays as long as it does.

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
