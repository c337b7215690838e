// Rule: the share of a payment model stays on days on which offers or partner offers have no share of their own.
// Shares resolve by day: the partner offer's range, else the offer's terms, else the payment model's.

import type { Issue } from '@tributary/contract/validate'
import { type RawBuilder, sql } from 'kysely'
import { FIRST_DAY } from '../../facts/columns.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Change, type EntityRules, idOf, isChanging } from '../engine/model/entity-rules.ts'
import type { Db } from '../engine/model/request-context.ts'

/** Days as a text that PostgreSQL reads as `datemultirange`. */
type Days = string

const NONE = sql`'{}'::datemultirange`
const ALL = sql`datemultirange(daterange(${FIRST_DAY}::date, null))`

/** The days of active ranges of a history. */
const daysOf = (history: string, condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce(
  (select range_agg(daterange(h.date_from, h.date_to, '[]')) from ${sql.table(history)} h where h.active and ${condition}), ${NONE})`

/** The days on which the payment model needs a share and has none; undefined if there is no such model. */
async function readMissing(db: Db, model: number): Promise<Days | undefined> {
  const ranges = (value: RawBuilder<unknown>) =>
    daysOf('payment_model_share_history', sql`h.payment_model_id = m.id and h.value is ${value}`)
  const { rows } = await sql<{ days: Days }>`
    select (case when m.type not in ('RS', 'CPA_RS') then ${NONE}
      when m.cost is null then ${ALL} - ${ranges(sql`not null`)} else ${ranges(sql`null`)} end)::text as days
    from payment_model m where m.id = ${model}`.execute(db)
  return rows[0]?.days
}

interface Reliant {
  readonly offers: number
  readonly links: number
  /** The first day; null: all days. */
  readonly day: string | null
  /** One of the offers. */
  readonly offer: number
}

/** Offers and partner offers that have no share without the model's, on the days that are in `after` and not in `before`. */
async function findReliant(db: Db, model: number, before: Days, after: Days): Promise<Reliant | undefined> {
  const { rows } = await sql<Reliant>`
    with lost as materialized (select ${after}::datemultirange - ${before}::datemultirange as days),
      offer_days as materialized (
        select o.id, o.active, lost.days
          * (case when o.payment_model_id = ${model}
              then ${ALL} - ${daysOf('offer_payment_model_history', sql`h.offer_id = o.id and h.value_id <> ${model}`)}
              else ${daysOf('offer_payment_model_history', sql`h.offer_id = o.id and h.value_id = ${model}`)} end)
          - (case when o.rs_share is null
              then ${daysOf('offer_terms_history', sql`h.offer_id = o.id and h.rs_share is not null`)}
              else ${ALL} - ${daysOf('offer_terms_history', sql`h.offer_id = o.id and h.rs_share is null`)} end) as days
        from offer o cross join lost where not isempty(lost.days)),
      link as materialized (
        select l.id, l.offer_id from offer_partner l join offer_days o on o.id = l.offer_id and not isempty(o.days)
        where not isempty(o.days - ${daysOf('offer_partner_rs_share_history', sql`h.offer_partner_id = l.id`)})),
      reliant as (
        select o.id, o.days from offer_days o
        where not isempty(o.days) and (o.active or exists (select from link where link.offer_id = o.id)))
    select count(*)::int as offers, (select count(*) from link)::int as links, nullif(min(lower(days)), ${FIRST_DAY}::date)::text as day, min(id) as offer
    from reliant having count(*) > 0`.execute(db)
  return rows[0]
}

const issueOf = ({ offers, links, day, offer }: Reliant): Issue => ({
  key: 'share_relied_on',
  values: { offers, links, ...(day !== null && { day }) },
  mend: { entity: 'offer', id: offer },
})

/** The days without a share before the change. */
const missingBefore = new WeakMap<Change, Days>()
/** Transactions that save a model with its ranges: what they leave is checked once, at the end. */
const savedWithRanges = new WeakSet<Db>()

const rejectLostShares = (
  modelOf: (change: Change) => number | null,
): Required<Pick<EntityRules, 'prepare' | 'finish'>> => ({
  async prepare(change) {
    const model = modelOf(change)
    const missing = model === null ? undefined : await readMissing(change.db, model)
    if (missing !== undefined) missingBefore.set(change, missing)
  },
  async finish(change) {
    const [model, before] = [modelOf(change), missingBefore.get(change)]
    const after = model === null || before === undefined ? undefined : await readMissing(change.db, model)
    if (model === null || before === undefined || after === undefined || after === before) return
    const reliant = await findReliant(change.db, model, before, after)
    if (reliant !== undefined) throw new AppError('invalid', { issues: { [fieldOf(change)]: [issueOf(reliant)] } })
  },
})

/** The field whose edit takes the share away. */
function fieldOf(change: Change): string {
  const isEmptied = (field: string) => isChanging(change, field) && change.valueOf(field) === null
  if (change.entity.name === 'payment_model') return !isEmptied('cost') && isChanging(change, 'type') ? 'type' : 'cost'
  if (isEmptied('value') || change.action === 'create') return 'value'
  return isChanging(change, 'date_from') ? 'date_from' : 'date_to'
}

const ofModel = rejectLostShares(({ before }) => before?.id ?? null)
const ofRange = rejectLostShares((change) => (savedWithRanges.has(change.db) ? null : idOf(change, 'payment_model')))

/** Call both in the rules of payment models. */
export const keepModelShare: Required<Pick<EntityRules, 'prepare' | 'finish'>> = {
  async prepare(change) {
    const hasRanges = (change.collections.share_history ?? []).length > 0
    if (hasRanges) savedWithRanges.add(change.db)
    if (hasRanges || isChanging(change, 'cost') || isChanging(change, 'type')) await ofModel.prepare(change)
  },
  async finish(change, id) {
    savedWithRanges.delete(change.db)
    await ofModel.finish(change, id)
  },
}

/** Call all in the rules of ranges of a payment model's share. */
export const keepRangeShare: Required<Pick<EntityRules, 'prepare' | 'finish' | 'prepareRemoval'>> = {
  ...ofRange,
  async prepareRemoval(change) {
    const { db, before } = change
    const model = idOf(change, 'payment_model')
    if (savedWithRanges.has(db) || before === null || model === null) return
    const { rows } = await sql<{ lost: Days }>`
      select case when m.cost is null and h.value is not null and m.type in ('RS', 'CPA_RS')
        then datemultirange(daterange(h.date_from, h.date_to, '[]')) else ${NONE} end::text as lost
      from payment_model_share_history h join payment_model m on m.id = h.payment_model_id where h.id = ${before.id}`.execute(
      db,
    )
    const lost = rows[0]?.lost
    const reliant = lost === undefined ? undefined : await findReliant(db, model, '{}', lost)
    if (reliant === undefined) return
    const { key, values, mend } = issueOf(reliant)
    change.reject('value', key, values, mend)
  },
}
