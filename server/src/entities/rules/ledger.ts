// Rules of adjustments and of confirmations by advertisers: who made them, and that a partner offer belongs to the partner.

import { parseMoney } from '@tributary/contract/money'
import { today } from '@tributary/contract/period'
import { sql } from 'kysely'
import { type Change, type EntityRules, idOf } from '../engine/model/entity-rules.ts'
import { readBusinessZone } from '../engine/model/request-context.ts'

async function rejectFutureMonth(change: Change): Promise<void> {
  const month = String(change.valueOf('month'))
  if (month > today(await readBusinessZone(change.db)).slice(0, 7)) change.reject('month', 'month_future')
}

export const adjustmentRules: EntityRules = {
  async prepare(change) {
    change.values.created_by = change.context.userId
    if (parseMoney(String(change.valueOf('amount'))) === 0n) change.reject('amount', 'amount_zero')
    await rejectFutureMonth(change)
    const [offerPartner, partner] = [idOf(change, 'offer_partner'), idOf(change, 'partner')]
    if (offerPartner === null || partner === null) return
    const isForeign = sql`select from offer_partner where id = ${offerPartner} and partner_id <> ${partner}`
    if ((await isForeign.execute(change.db)).rows.length > 0) change.reject('offer_partner', 'link_of_other_partner')
  },
}

export const advertiserConfirmationRules: EntityRules = {
  async prepare(change) {
    Object.assign(change.values, { confirmed_by: change.context.userId, confirmed_at: new Date().toISOString() })
    await rejectFutureMonth(change)
  },
}
