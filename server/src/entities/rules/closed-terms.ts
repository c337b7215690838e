// Rejects edits of ranges of terms, and of rates, that change a value on a day of a closed month.

import { DATED_TERMS } from '@tributary/contract/dated-terms'
import { addDays } from '@tributary/contract/period'
import { sql } from 'kysely'
import { type Change, type EntityRules, idOf, isChanging } from '../engine/model/entity-rules.ts'
import { entityNamed, fieldsOf, type Row } from '../engine/model/model.ts'
import { isSameValue } from '../engine/model/same-value.ts'
import { readSnapshot } from '../engine/read/snapshot.ts'
import { type AffectedDays, type AffectedPartners, rejectClosedDays } from './closed-period.ts'
import { readReportCurrency } from './finance.ts'

/** Fields of a range that say when and whose it is, not what applies. */
const NOT_VALUES = new Set(['id', 'version', 'active', 'date_from', 'date_to', 'created_at', 'updated_at'])

const daysOf = (row: Row): AffectedDays => ({
  from: String(row.date_from),
  to: typeof row.date_to === 'string' ? row.date_to : null,
})

/** The days on which exactly one of two ranges holds. */
function differingDays(before: AffectedDays, after: AffectedDays): AffectedDays[] {
  const outside = (range: AffectedDays, other: AffectedDays): AffectedDays[] => {
    const head: AffectedDays[] =
      range.from < other.from ? [{ from: range.from, to: earlier(range.to, addDays(other.from, -1)) }] : []
    const from = other.to === null ? null : later(range.from, addDays(other.to, 1))
    const tail: AffectedDays[] =
      from !== null && (range.to === null || from <= range.to) ? [{ from, to: range.to }] : []
    return [...head, ...tail]
  }
  return [...outside(before, after), ...outside(after, before)]
}

const earlier = (a: string | null, b: string): string => (a === null || b < a ? b : a)
const later = (a: string, b: string): string => (a > b ? a : b)

/** The days whose value an edit of a range changes. */
function changedDays(before: Row | null, after: Row | null): AffectedDays[] {
  if (before === null || after === null) return [before, after].flatMap((row) => (row === null ? [] : [daysOf(row)]))
  const isOtherValue = Object.keys(after).some((field) => !NOT_VALUES.has(field) && after[field] !== before[field])
  return isOtherValue ? [daysOf(before), daysOf(after)] : differingDays(daysOf(before), daysOf(after))
}

/** Of the settings. */
const ONLY_ID = 1

type Owner = 'offer_partner' | 'offer' | 'payment_model' | null

/** Adds the check to the rules of a history whose ranges belong to the owner; null: they hold for everyone. */
export const rejectClosedMonthEdits = (owner: Owner, rules: EntityRules = {}): EntityRules => ({
  ...rules,
  async prepare(change) {
    await rules.prepare?.(change)
    const { before, values } = change
    await rejectClosedTerms(change, owner, before, { ...before, ...values })
  },
  async prepareRemoval(change) {
    await rules.prepareRemoval?.(change)
    await rejectClosedTerms(change, owner, change.before, null)
  },
})

async function rejectClosedTerms(change: Change, owner: Owner, before: Row | null, after: Row | null): Promise<void> {
  const { db, context } = change
  if (after !== null && typeof after.date_from !== 'string') return
  const id = owner === null ? null : idOf(change, owner)
  if (owner !== null && (id === null || !(await isVisible(change, owner, id)))) return
  if (await isOwnersValue(change, id, before, after)) return
  await rejectClosedDays(db, context, partnersOf(owner, id ?? 0), changedDays(before, after))
}

/** True if a new or removed range has the values of its owner. They apply on days without a range, so that no day changes. */
async function isOwnersValue(
  change: Change,
  id: number | null,
  before: Row | null,
  after: Row | null,
): Promise<boolean> {
  const range = before === null ? after : before
  if (range === null || (before !== null && after !== null)) return false
  for (const [entity, terms] of Object.entries(DATED_TERMS)) {
    const term = terms.find(({ history }) => history === change.entity.name)
    if (term === undefined) continue
    const owner = await readSnapshot(change.db, entityNamed(entity), id ?? ONLY_ID)
    const fields = fieldsOf(change.entity)
    return Object.entries(term.fields).every(([name, ofOwner]) => {
      const field = fields.get(name)
      return owner !== undefined && field !== undefined && isSameValue(field, range[name], owner[ofOwner])
    })
  }
  return false
}

function partnersOf(owner: Owner, id: number): AffectedPartners {
  if (owner === 'offer_partner') return { offerPartner: id }
  if (owner === 'offer') return { offer: id }
  return owner === 'payment_model' ? { paymentModel: id } : 'all'
}

/** The store rejects owners out of sight; a closed month must not reveal that they exist. */
async function isVisible({ db, context }: Change, owner: string, id: number): Promise<boolean> {
  const entity = entityNamed(owner)
  const statement = sql`select from ${sql.id(owner)} as t where t.id = ${id} and ${context.scopeOf(entity, 't') ?? sql`true`}`
  return (await statement.execute(db)).rows.length > 0
}

/**
 * A rate holds until the next one. Days before the first rate of a currency have none, and a month with such facts cannot be closed: so a new rate
 * for them changes nothing that a close has booked. Until a later close it may be changed, moved and deleted again. A rate that is older than the
 * close may have been used by it, and does not move to such days: it could not move back.
 */
export const currencyRateRules: EntityRules = {
  async prepare(change) {
    if (!['currency', 'date', 'rate'].some((field) => isChanging(change, field))) return
    const [currency, day, rate] = [idOf(change, 'currency'), change.valueOf('date'), change.valueOf('rate')]
    if (currency !== null && typeof rate === 'string' && Number(rate) !== 1)
      if (currency === (await readReportCurrency(change.db))) change.reject('rate', 'rate_of_report_currency')
    if (change.before !== null) await rejectClosedRemoval(change, change.before)
    // An invalid rate is no value, and is rejected by its field.
    if (currency !== null && typeof day === 'string' && typeof rate === 'string')
      await rejectClosedRate(change, { currency, day, rate })
  },
  async prepareRemoval(change) {
    if (change.before !== null) await rejectClosedRemoval(change, change.before)
  },
}

interface RateNeighbours {
  /** Whether the same rate holds on the day without the changed row; null if none holds. */
  readonly isSame: boolean | null
  /** The day of the next rate. */
  readonly next: string | null
  /** When the changed row was made; null for a new one. */
  readonly made: string | null
}

async function readNeighbours(
  change: Change,
  { currency, day, rate }: { currency: number; day: string; rate: string },
): Promise<RateNeighbours | undefined> {
  const own = change.before?.id ?? null
  const others = sql`currency_rate where currency_id = ${currency} and active and id is distinct from ${own}::int`
  const { rows } = await sql<RateNeighbours>`select
      (select rate = ${rate}::numeric from ${others} and date <= ${day}::date order by date desc limit 1) as "isSame",
      (select min(date)::text from ${others} and date > ${day}::date) as next,
      (select created_at::text from currency_rate where id = ${own}::int) as made`.execute(change.db)
  return rows[0]
}

/** A rate that another one gives as well changes nothing. */
async function rejectClosedRate(
  change: Change,
  rate: { readonly currency: number; readonly day: string; readonly rate: string },
): Promise<void> {
  const found = await readNeighbours(change, rate)
  if (found === undefined || found.isSame === true) return
  const isFirst = found.isSame === null
  if (isFirst && found.made === null) return
  const since = isFirst ? found.made : null
  await rejectClosedDays(change.db, change.context, 'all', [daysUntil(rate.day, found.next)], { since })
}

/** Without the rate, its days have the one before. */
async function rejectClosedRemoval(change: Change, { currency, date, rate }: Row): Promise<void> {
  if (typeof currency === 'number' && typeof date === 'string')
    await rejectClosedRate(change, { currency, day: date, rate: String(rate) })
}

const daysUntil = (from: string, next: string | null): AffectedDays => ({
  from,
  to: next === null ? null : addDays(next, -1),
})
