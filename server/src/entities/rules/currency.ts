// Rules of currencies: the code under which money was closed or stated stays.
import { sql } from 'kysely'
import { type EntityRules, isChanging } from '../engine/model/entity-rules.ts'

export const currencyRules: EntityRules = {
  async prepare(change) {
    const { before, db } = change
    // Without a code, the title is shown beside amounts.
    const isCode = isChanging(change, 'value') || (isChanging(change, 'title') && !before?.value)
    if (before === null || !isCode) return
    const { rows } = await sql`select where exists (select from ledger_entry where currency_id = ${before.id})
      or exists (select from statement where currency_id = ${before.id}) or exists (select from adjustment where currency_id = ${before.id})`.execute(
      db,
    )
    if (rows.length > 0) change.reject(isChanging(change, 'value') ? 'value' : 'title', 'currency_in_closed_money')
  },
}
