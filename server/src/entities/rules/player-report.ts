// Rule of player report entries: the currency defaults to that of the partner offer on that day, else to the advertiser's.

import { sql } from 'kysely'
import { type EntityRules, idOf } from '../engine/model/entity-rules.ts'

export const playerReportRules: EntityRules = {
  async prepare(change) {
    const player = idOf(change, 'player')
    if (idOf(change, 'currency') !== null || player === null) return
    const day = change.valueOf('report_date')
    if (typeof day !== 'string') return
    const { rows } = await sql<{ currency: number }>`
      select coalesce(offer_partner_currency_on(p.offer_partner_id, ${day}::date), a.default_currency_id) as currency
      from player as p join advertiser as a on a.id = p.advertiser_id where p.id = ${player}`.execute(change.db)
    if (rows[0] !== undefined) change.values.currency = rows[0].currency
  },
}
