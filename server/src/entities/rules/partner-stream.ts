// Streams: the traffic source must be that of the active partner offers that use the stream.

import { sql } from 'kysely'
import { type EntityRules, idOf, isChanging } from '../engine/model/entity-rules.ts'

export const partnerStreamRules: EntityRules = {
  async prepare(change) {
    const trafficSource = idOf(change, 'traffic_source')
    if (change.before === null || trafficSource === null || !isChanging(change, 'traffic_source')) return
    const statement = sql`select from offer_partner
      where stream_id = ${change.before.id} and active and traffic_source_id <> ${trafficSource} limit 1`
    if ((await statement.execute(change.db)).rows.length > 0) change.refuse('traffic_source', 'traffic_source_exists')
  },
}
