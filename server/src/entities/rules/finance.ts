// Rules of invoices, and the report currency, which is the default currency of money.

import { sql } from 'kysely'
import { type EntityRules, idOf, isCreating } from '../engine/model/entity-rules.ts'
import type { Db } from '../engine/model/request-context.ts'

/** Id of the report currency of the settings, else of the euro. Undefined if there is neither. */
export async function readReportCurrency(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ id: number | null }>`select coalesce(report_currency_id,
    (select id from currency where value = 'EUR' or title = 'EUR' order by id limit 1)) as id from setting`.execute(db)
  return rows[0]?.id ?? undefined
}

/** Records the creator; the currency defaults to the report currency; the stream must be the partner's. */

export const paymentInvoiceRules: EntityRules = {
  async prepare(change) {
    if (isCreating(change)) {
      change.values.created_by = change.context.userId
      change.values.currency ??= await readReportCurrency(change.db)
    }
    const [from, to] = [change.valueOf('date_from'), change.valueOf('date_to')]
    if (typeof from === 'string' && typeof to === 'string' && from > to) change.reject('date_to', 'dates_reversed')
    const [stream, partner] = [idOf(change, 'stream'), idOf(change, 'partner')]
    if (stream === null || partner === null) return
    const isForeign = sql`select from partner_stream where id = ${stream} and partner_id <> ${partner}`
    if ((await isForeign.execute(change.db)).rows.length > 0) change.reject('stream', 'stream_of_other_partner')
  },
}
