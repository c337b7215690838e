// Says of statement lines what their kind does not: the kind of an adjustment, why and from where an amount is carried over, and why a closed
// month was corrected; of ledger entries the last alone. Partners read it.
import type { Language } from '@tributary/contract/language'
import { formatMonth } from '@tributary/contract/period'
import { type CarryReason, type Correction, correctionCausesOf } from '@tributary/contract/statement'
import { choiceLabel } from '@tributary/contract/words/entity-words'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../entities/engine/model/request-context.ts'
import { WORDS } from '../lib/words.ts'
import { STATEMENT_WORDS } from './statement-document.ts'

/** SQL of the reason for which a line carries an amount to the next statement. */
export const carryReasonOf = (alias: string): RawBuilder<CarryReason> =>
  sql`case when ${sql.ref(`${alias}.carries`)} = 'rs' then 'negative_rs' when ${sql.ref(`${alias}.amount`)} > 0 then 'negative_total'
    else 'below_minimum' end`

interface LineRow {
  readonly id: number
  /** Of the adjustment. */
  readonly kind: string | null
  readonly reason: CarryReason | null
  /** The earlier statement; null for the line that carries. */
  readonly statement: number | null
  readonly month: string | null
}

/** By id of the line. Lines that their kind explains are absent. */
export async function explainLines(
  db: Db,
  ids: readonly number[],
  language: Language,
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<LineRow>`
    select l.id, a.kind, null as reason, null as statement, null as month
    from payment_invoice_line l join statement_item i on i.payment_invoice_line_id = l.id join adjustment a on a.id = i.adjustment_id
    where l.id = any(${ids}::int[]) and l.kind = 'adjustment'
    union all
    select l.id, null, ${carryReasonOf('c')}, s.id, s.month::text
    from payment_invoice_line l join payment_invoice_line c on c.id = coalesce(l.carried_from_id, l.id)
      left join statement s on s.id = c.statement_id and l.carried_from_id is not null
    where l.id = any(${ids}::int[]) and l.kind = 'carry_over'`.execute(db)
  const corrections = await readCorrections(db, ids)
  return new Map([
    ...rows.map((row) => [row.id, explain(row, language)] as const),
    ...corrections.map((row) => [row.id, explainCorrection(row, language)] as const),
  ])
}

/** By id of the entry. Entries of a first close are absent. */
export async function explainEntries(
  db: Db,
  ids: readonly number[],
  language: Language,
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<CorrectionRow>`
    select e.id, e.source, e.earned_month::text, array(select k ->> 'cause' from jsonb_array_elements(e.causes) as k) as causes,
      ${quantityOf('e.id')} as quantity
    from ledger_entry e where e.id = any(${ids}::bigint[]) and e.source <> 'close'`.execute(db)
  return new Map(rows.map((row) => [row.id, explainCorrection(row, language)]))
}

interface CorrectionRow {
  readonly id: number
  readonly source: Correction
  readonly earned_month: string
  /** As they are stored. */
  readonly causes: readonly string[]
  /** 1 if it adds players, -1 if it takes them, else 0. */
  readonly quantity: number
}

/** SQL of the quantity that all items of an entry have; 0 if they differ, or count no players. */
const quantityOf = (
  entry: string,
): RawBuilder<number> => sql`coalesce((select case when min(i.quantity) = max(i.quantity) then min(i.quantity) end
  from ledger_item i where i.ledger_entry_id = ${sql.ref(entry)}), 0)::int`

/** Lines of entries that correct an earlier month. A line has entries of one source. */
async function readCorrections(db: Db, ids: readonly number[]): Promise<CorrectionRow[]> {
  const { rows } = await sql<CorrectionRow>`
    select l.id, e.source, l.earned_month::text, coalesce(array_agg(distinct c.cause) filter (where c.cause is not null), '{}') as causes,
      coalesce(sign(l.quantity), 0)::int as quantity
    from payment_invoice_line l join statement s on s.id = l.statement_id and s.month > l.earned_month
      join statement_item i on i.payment_invoice_line_id = l.id left join ledger_item p on p.id = i.ledger_item_id
      join ledger_entry e on e.id = coalesce(i.ledger_entry_id, p.ledger_entry_id) and e.source <> 'close'
      left join lateral (select k ->> 'cause' as cause from jsonb_array_elements(e.causes) as k) c on true
    where l.id = any(${ids}::int[]) and l.kind in ('cpa', 'rs', 'agency') group by 1, 2, 3`.execute(db)
  return rows
}

function explainCorrection({ source, earned_month, causes, quantity }: CorrectionRow, language: Language): string {
  const words = STATEMENT_WORDS[language]
  const known = correctionCausesOf(causes, quantity).map((cause) => words.correctionCauses[cause])
  return words.corrections[source]
    .replace('{month}', formatMonth(earned_month, language))
    .replace('{causes}', (known.length === 0 ? [words.correctionCauses.other] : known).join(', '))
}

function explain({ kind, reason, statement, month }: LineRow, language: Language): string {
  if (reason === null) return choiceLabel(WORDS[language], 'adjustment', 'kind', kind ?? '')
  const words = STATEMENT_WORDS[language]
  const text = words.carryReasons[reason]
  return statement === null || month === null
    ? words.carriedOn.replace('{reason}', text)
    : words.carriedFrom
        .replace('{reason}', text)
        .replace('{number}', String(statement))
        .replace('{month}', formatMonth(month, language))
}
