// Invoices: the creator is recorded, the currency defaults to the report currency, the stream must be the partner's.

import { sql } from 'kysely'
import { type EntityRules, idOf, isCreating } from '../engine/model/entity-rules.ts'
import { readReportCurrency } from './report-currency.ts'

export const paymentInvoiceRules: EntityRules = {
  async prepare(change) {
    if (isCreating(change)) {
      change.values.created_by = change.context.userId
      change.values.currency ??= await readReportCurrency(change.db)
    }
    const [from, to] = [change.valueOf('date_from'), change.valueOf('date_to')]
    if (typeof from === 'string' && typeof to === 'string' && from > to) change.refuse('date_to', 'dates_reversed')
    const [stream, partner] = [idOf(change, 'stream'), idOf(change, 'partner')]
    if (stream === null || partner === null) return
    const isForeign = sql`select from partner_stream where id = ${stream} and partner_id <> ${partner}`
    if ((await isForeign.execute(change.db)).rows.length > 0) change.refuse('stream', 'stream_of_other_partner')
  },
}
