// Rules of statements: who may not approve a draft; of their lines: the unit of a rate, which is a price or a percentage, and what the kind
// does not say.
import { say } from '@tributary/contract/words/messages'
import { sql } from 'kysely'
import { explainLines } from '../../money/explain-lines.ts'
import { findRefusedApprovals } from '../../money/four-eyes.ts'
import type { EntityRules } from '../engine/model/entity-rules.ts'

export const statementRules: EntityRules = {
  async derive(db, rows, { userId, language = 'en' }) {
    const drafts = rows.filter(({ state }) => state === 'draft').map(({ id }) => Number(id))
    const refused = await findRefusedApprovals(db, userId, drafts)
    for (const row of rows) {
      const key = refused.get(Number(row.id))
      row.approval_refused = key === undefined ? null : say(language, key)
    }
  },
}

export const paymentInvoiceLineRules: EntityRules = {
  async derive(db, rows, { language = 'en' }) {
    const ids = rows.map(({ id }) => Number(id))
    const { rows: units } = await sql<{ id: number; unit: string }>`
      select l.id, case when l.kind = 'cpa' then coalesce(nullif(c.value, ''), c.title) else '%' end as unit
      from payment_invoice_line l join currency c on c.id = l.currency_id
      where l.rate is not null and l.id = any(${ids}::int[])`.execute(db)
    const unitOf = new Map(units.map(({ id, unit }) => [id, unit]))
    const explanations = await explainLines(db, ids, language)
    for (const row of rows) {
      row.rate_unit = unitOf.get(Number(row.id)) ?? null
      row.explanation = explanations.get(Number(row.id)) ?? null
    }
  },
}
