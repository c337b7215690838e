// Rule of player report entries: the currency defaults to the partner offer's, else to the advertiser's.

import { sql } from 'kysely'
import { type EntityRules, idOf } from '../engine/model/entity-rules.ts'

export const playerReportRules: EntityRules = {
  async prepare(change) {
    const player = idOf(change, 'player')
    if (idOf(change, 'currency') !== null || player === null) return
    const { rows } = await sql<{ currency: number }>`select coalesce(l.currency_id, a.default_currency_id) as currency
      from player as p join advertiser as a on a.id = p.advertiser_id left join offer_partner as l on l.id = p.offer_partner_id
      where p.id = ${player}`.execute(change.db)
    if (rows[0] !== undefined) change.values.currency = rows[0].currency
  },
}
