// Rules of statement lines: the unit of a rate, which is a price or a percentage.
import { sql } from 'kysely'
import type { EntityRules } from '../engine/model/entity-rules.ts'

export const paymentInvoiceLineRules: EntityRules = {
  async derive(db, rows) {
    const { rows: units } = await sql<{ id: number; unit: string }>`
      select l.id, case when l.kind = 'cpa' then coalesce(nullif(c.value, ''), c.title) else '%' end as unit
      from payment_invoice_line l join currency c on c.id = l.currency_id
      where l.rate is not null and l.id = any(${rows.map(({ id }) => id)}::int[])`.execute(db)
    const unitOf = new Map(units.map(({ id, unit }) => [id, unit]))
    for (const row of rows) row.rate_unit = unitOf.get(Number(row.id)) ?? null
  },
}
