// Rule: an edit of a field that decides money applies from today on. Before the field changes, past days get ranges with the old value.

import { DATED_TERMS, type DatedTerm } from '@tributary/contract/dated-terms'
import { addDays, today } from '@tributary/contract/period'
import type { Issue } from '@tributary/contract/validate'
import { sql } from 'kysely'
import { FIRST_DAY } from '../../facts/columns.ts'
import { type Change, type EntityRules, idOf, isChanging, isCreating } from '../engine/model/entity-rules.ts'
import { entityNamed, type Row, tableOf } from '../engine/model/model.ts'
import { type Db, readBusinessZone } from '../engine/model/request-context.ts'
import { readSnapshot } from '../engine/read/snapshot.ts'
import { deleteAudited, insertAudited, updateAudited } from '../engine/save/write.ts'
import { rejectClosedDays } from './closed-period.ts'
import { keepModelShare, keepRangeShare } from './model-share.ts'
import { planEdit, type Span } from './term-ranges.ts'

/** Writes ranges with the old values for past days. Call it in `prepare` of the owner's rules. */
export async function keepPastTerms(change: Change): Promise<void> {
  const { before, entity } = change
  if (before === null) return
  for (const term of DATED_TERMS[entity.name] ?? []) {
    if (!Object.values(term.fields).some((field) => isChanging(change, field))) continue
    const values = Object.fromEntries(Object.entries(term.fields).map(([name, field]) => [name, before[field]]))
    const ended = await keepPast(change, term, term.owner === null ? {} : { [term.owner]: before.id }, values)
    if (ended === undefined) continue
    // Terms that the edit does not name stay as they are today, which the ended range says.
    for (const [name, field] of Object.entries(term.fields))
      if (!isChanging(change, field)) change.values[field] = ended[name]
  }
}

/** Returns the range that the edit ends, as it was. */
async function keepPast({ db, context }: Change, term: DatedTerm, owner: Row, values: Row): Promise<Row | undefined> {
  const history = entityNamed(term.history)
  const day = today(await readBusinessZone(db))
  const isOwned = term.owner === null ? sql`true` : sql`${sql.id(`${term.owner}_id`)} = ${owner[term.owner]}`
  const { rows } = await sql<
    Span & { id: number }
  >`select id, date_from as "from", date_to as "to" from ${tableOf(history)}
    where ${isOwned} for update`.execute(db)
  const { cut, replaced, gaps } = planEdit(rows, day)
  const inForce = cut ?? replaced
  const ended = inForce === null ? undefined : await readSnapshot(db, history, inForce.id)
  if (replaced !== null) await deleteAudited(db, context, history, replaced.id)
  if (cut !== null) await updateAudited(db, context, history, cut.id, { date_to: addDays(day, -1) })
  for (const { from, to } of gaps)
    await insertAudited(db, context, history, { ...owner, ...values, date_from: from, date_to: to })
  return ended
}

/**
 * The type of a payment model has no dates: another one would change what its offers owe on all days, also of open months. So it stays once an
 * offer that has it, or has it on some days, has players or spend: such an offer gets another payment model from a day on.
 */
async function rejectUsedType(change: Change): Promise<void> {
  const { db, context, before } = change
  if (before === null || !isChanging(change, 'type')) return
  const used = await findUse(db, before.id)
  const sentence: Issue | undefined = used && { key: 'period_closed_model_in_use', values: { offers: used.offers } }
  const all = [{ from: FIRST_DAY, to: null }]
  await rejectClosedDays(db, context, { paymentModel: before.id }, all, sentence && { sentence })
  if (used !== undefined)
    change.reject('type', 'model_type_in_use', { offers: used.offers }, { entity: 'offer', id: used.id })
}

/** One of the offers, and how many there are. */
interface ModelUse {
  readonly id: number
  readonly offers: number
}

/** Offers with the payment model, always or on some days, that have players or spend. */
async function findUse(db: Db, model: number): Promise<ModelUse | undefined> {
  const { rows } = await sql<ModelUse>`
    select min(o.id) as id, count(*)::int as offers from offer o
    where (o.payment_model_id = ${model} or exists (select from offer_payment_model_history h
        where h.offer_id = o.id and h.active and h.value_id = ${model}))
      and exists (select from offer_partner l where l.offer_id = o.id and (exists (select from player p where p.offer_partner_id = l.id)
        or exists (select from partner_spend s where s.offer_partner_id = l.id)))
    having count(*) > 0`.execute(db)
  return rows[0]
}

export const paymentModelRules: EntityRules = {
  async prepare(change) {
    if (change.valueOf('cpa_price_day') === null) change.reject('cpa_price_day', 'required')
    await rejectUsedType(change)
    await keepModelShare.prepare(change)
    await keepPastTerms(change)
  },
  finish: keepModelShare.finish,
}

/** A new range without a price day has that of the payment model. */
export const paymentModelShareHistoryRules: EntityRules = {
  ...keepRangeShare,
  async prepare(change) {
    await keepRangeShare.prepare(change)
    if (isCreating(change) && typeof change.valueOf('cpa_price_day') !== 'string') {
      const { rows } = await sql<{ day: string }>`
        select cpa_price_day as day from payment_model where id = ${idOf(change, 'payment_model')}`.execute(change.db)
      change.values.cpa_price_day = rows[0]?.day ?? 'qualification'
    } else if (change.valueOf('cpa_price_day') === null) change.reject('cpa_price_day', 'required')
  },
}
