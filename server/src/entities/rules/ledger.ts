// Rules of ledger entries, adjustments and confirmations by advertisers: what entries add to the ledger, who made them, and that a partner offer belongs to the partner.

import { parseMoney } from '@tributary/contract/money'
import { today } from '@tributary/contract/period'
import { sql } from 'kysely'
import { convertEntries } from '../../money/convert-entries.ts'
import { explainEntries } from '../../money/explain-lines.ts'
import { type Change, type EntityRules, idOf } from '../engine/model/entity-rules.ts'
import { readBusinessZone } from '../engine/model/request-context.ts'
import { readEarliestMonth } from './earliest-month.ts'

/** Any month, also one that no report knows. */
const MONTH_TEXT = /^\d{4}-\d{2}$/

/** Rejects months to come, and months long before the network. What is no month is rejected by its field. */
async function rejectOtherMonths(change: Change): Promise<void> {
  const month = change.valueOf('month')
  if (typeof month !== 'string' || !MONTH_TEXT.test(month)) return
  const first = await readEarliestMonth(change.db)
  if (month < first) change.reject('month', 'month_too_early', { month: first })
  if (month > today(await readBusinessZone(change.db)).slice(0, 7)) change.reject('month', 'month_future')
}

export const ledgerEntryRules: EntityRules = {
  async derive(db, rows, { language = 'en' }) {
    const ids = rows.map(({ id }) => Number(id))
    const found = await convertEntries(db, ids)
    const explanations = await explainEntries(db, ids, language)
    const byId = new Map(found.map((one) => [one.id, one]))
    for (const row of rows) {
      const { amount = null, rate = null, currency = '' } = byId.get(Number(row.id)) ?? {}
      row.fx_rate = rate
      row.explanation = explanations.get(Number(row.id)) ?? null
      row.converted = amount === null ? null : `${amount.replace('-', '\u2212')} ${currency}`
    }
  },
}

export const adjustmentRules: EntityRules = {
  async prepare(change) {
    change.values.created_by = change.context.userId
    if (parseMoney(String(change.valueOf('amount'))) === 0n) change.reject('amount', 'amount_zero')
    await rejectOtherMonths(change)
    const [offerPartner, partner] = [idOf(change, 'offer_partner'), idOf(change, 'partner')]
    if (offerPartner === null || partner === null) return
    const isForeign = sql`select from offer_partner where id = ${offerPartner} and partner_id <> ${partner}`
    if ((await isForeign.execute(change.db)).rows.length > 0) change.reject('offer_partner', 'link_of_other_partner')
  },
}

export const advertiserConfirmationRules: EntityRules = {
  async prepare(change) {
    Object.assign(change.values, { confirmed_by: change.context.userId, confirmed_at: new Date().toISOString() })
    await rejectOtherMonths(change)
  },
}
