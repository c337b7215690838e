// Rules of player report entries: the day has come, and the currency defaults to that of the partner offer on that day, else to the advertiser's.

import { addDays, today } from '@tributary/contract/period'
import { sql } from 'kysely'
import { type Change, type EntityRules, idOf, isCreating } from '../engine/model/entity-rules.ts'
import { readBusinessZone } from '../engine/model/request-context.ts'

export const playerReportRules: EntityRules = {
  async prepare(change) {
    await rejectFuture(change)
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

/** As in a file, the last day is tomorrow, because an advertiser's clock may be ahead. */
async function rejectFuture(change: Change): Promise<void> {
  const day = change.valueOf('report_date')
  if (!isCreating(change) || typeof day !== 'string') return
  if (day > addDays(today(await readBusinessZone(change.db)), 1)) change.reject('report_date', 'date_future')
}
