// Rule: an edit of a field that decides money applies from today on. Before the field changes, past days get ranges with the old value.

import { addDays, today } from '@tributary/contract/period'
import { sql } from 'kysely'
import { type Change, isChanging } from '../engine/model/entity-rules.ts'
import { entityNamed, type Row, tableOf } from '../engine/model/model.ts'
import { readBusinessZone } from '../engine/model/request-context.ts'
import { deleteAudited, insertAudited, updateAudited } from '../engine/save/write.ts'
import { planEdit, type Span } from './term-ranges.ts'

/** A history entity, and the owner's field whose past values it stores. */
interface DatedTerm {
  readonly history: string
  /** Field of the history that refers to the owner; null if only one owner exists. */
  readonly owner: string | null
  readonly fields: Readonly<Record<string, string>>
}

const DATED_TERMS: Readonly<Record<string, readonly DatedTerm[]>> = {
  payment_model: [{ history: 'payment_model_share_history', owner: 'payment_model', fields: { value: 'cost' } }],
  setting: [{ history: 'agency_percentage_history', owner: null, fields: { value: 'agency_spend_percentage' } }],
}

/** Writes ranges with the old values for past days. Call it in `prepare` of the owner's rules. */
export async function keepPastTerms(change: Change): Promise<void> {
  const { before, entity } = change
  if (before === null) return
  for (const term of DATED_TERMS[entity.name] ?? []) {
    if (!Object.values(term.fields).some((field) => isChanging(change, field))) continue
    const values = Object.fromEntries(Object.entries(term.fields).map(([name, field]) => [name, before[field]]))
    await keepPast(change, term, term.owner === null ? {} : { [term.owner]: before.id }, values)
  }
}

async function keepPast({ db, context }: Change, term: DatedTerm, owner: Row, values: Row): Promise<void> {
  const history = entityNamed(term.history)
  const day = today(await readBusinessZone(db))
  const isOwned = term.owner === null ? sql`true` : sql`${sql.id(`${term.owner}_id`)} = ${owner[term.owner]}`
  const { rows } = await sql<
    Span & { id: number }
  >`select id, date_from as "from", date_to as "to" from ${tableOf(history)}
    where ${isOwned} for update`.execute(db)
  const { cut, replaced, gaps } = planEdit(rows, day)
  if (replaced !== null) await deleteAudited(db, context, history, replaced.id)
  if (cut !== null) await updateAudited(db, context, history, cut.id, { date_to: addDays(day, -1) })
  for (const { from, to } of gaps)
    await insertAudited(db, context, history, { ...owner, ...values, date_from: from, date_to: to })
}
