// Rules of budgets: months are stored as their first day. An approved budget changes only with a reason, and a budget version stores its old state.

import { sql } from 'kysely'
import { type Change, type EntityRules, idOf, isCreating } from '../engine/model/entity-rules.ts'
import { rejectClosedDays, rejectMonthsClosedForAll } from './closed-period.ts'
import { readReportCurrency } from './finance.ts'

async function fillDefaults(change: Change): Promise<void> {
  const { values, db } = change
  if (typeof values.month === 'string') values.month = `${values.month.slice(0, 8)}01`
  if (change.valueOf('currency') == null) values.currency = (await readReportCurrency(db)) ?? null
}

/** The months of a row: as stored, and as it would be. */
const monthsOf = (change: Change): string[] =>
  [change.before?.month, change.valueOf('month')].flatMap((month) =>
    typeof month === 'string' ? month.slice(0, 7) : [],
  )

const rejectClosedPlan = (change: Change): Promise<void> =>
  rejectMonthsClosedForAll(change.db, change.context, monthsOf(change))

/** A part is read-only once the month is closed for its partner. */
async function rejectClosedPart(change: Change): Promise<void> {
  const days = monthsOf(change).map((month) => ({ from: `${month}-01`, to: `${month}-01` }))
  for (const partner of [idOf(change, 'partner'), change.before?.partner])
    if (typeof partner === 'number') await rejectClosedDays(change.db, change.context, { partner }, days)
}

export const partnerBudgetRules: EntityRules = {
  async prepare(change) {
    await fillDefaults(change)
    await rejectClosedPart(change)
  },
  prepareRemoval: rejectClosedPart,
}

const CELL = ['advertiser', 'country', 'month'] as const

export const budgetRules: EntityRules = {
  async prepare(change) {
    const { values, before } = change
    const reason = typeof values.reason === 'string' ? values.reason.trim() : ''
    Reflect.deleteProperty(values, 'reason')
    await fillDefaults(change)
    await rejectClosedPlan(change)
    // Another day of the same month is no change, but the store would count it as one.
    if (values.month === before?.month) Reflect.deleteProperty(values, 'month')
    if (isCreating(change) || before?.state !== 'approved' || Object.keys(values).length === 0) return
    for (const field of CELL) if (Object.hasOwn(values, field)) change.reject(field, 'fixed')
    if (reason === '') return change.reject('reason', 'required')
    await saveVersion(change, reason)
    Object.assign(values, { state: 'proposed', approved_by: null, approved_at: null })
  },

  async prepareRemoval(change) {
    await rejectClosedPlan(change)
    if (change.before?.state === 'approved') change.reject('state', 'budget_approved_stays')
  },
}

/** Stores the approved amounts, their approver, and the new amounts. */
async function saveVersion(change: Change, reason: string): Promise<void> {
  const { db, context, before } = change
  await sql`insert into budget_version (budget_id, user_id, reason, planned_before, currency_before_id, active_before, planned, currency_id,
      approved_by_id, approved_at)
    select id, ${context.userId}, ${reason}, planned, currency_id, active, ${String(change.valueOf('planned'))}::numeric,
      ${idOf(change, 'currency')}::int, approved_by_id, approved_at
    from budget where id = ${before?.id}`.execute(db)
}
