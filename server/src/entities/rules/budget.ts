// Rules of budgets. Once approved, a budget changes only with a reason, and a budget version
// stores each old state.

import { today } from '@tributary/contract/period'
import { sql } from 'kysely'
import { AppError } from '../../lib/app-error.ts'
import { type Change, type EntityRules, idOf, isCreating } from '../engine/model/entity-rules.ts'
import { readBusinessZone } from '../engine/model/request-context.ts'
import { rejectClosedDays, rejectMonthsClosedForAll } from './closed-period.ts'
import { readReportCurrency } from './finance.ts'

async function fillDefaults(change: Change): Promise<void> {
  const { values, db } = change
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
    if (isCreating(change)) await noteMonthOver(change)
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
    if (isCreating(change)) {
      rejectNarrowed(change)
      return noteMonthOver(change)
    }
    if (Object.keys(values).length === 0 || !(await wasApproved(change))) return
    for (const field of CELL) if (Object.hasOwn(values, field)) change.reject(field, 'fixed')
    if (reason === '') return change.reject('reason', 'required')
    await saveVersion(change, reason)
    if (before?.state === 'approved') Object.assign(values, { state: 'proposed', approved_by: null, approved_at: null })
  },

  async prepareRemoval(change) {
    await rejectClosedPlan(change)
    if (await wasApproved(change))
      throw new AppError('conflict', { issues: { state: [{ key: 'budget_approved_stays' }] } })
  },
}

/** A plan of a month that is over warns nobody; it is kept for comparison. */
async function noteMonthOver(change: Change): Promise<void> {
  const value = change.valueOf('month')
  const month = typeof value === 'string' ? value.slice(0, 7) : ''
  const day = today(await readBusinessZone(change.db))
  if (month !== '' && month < day.slice(0, 7)) change.addNotice('budget_month_over', { month })
}

/** The network's plan belongs to those who see all partners. */
function rejectNarrowed(change: Change): void {
  if (change.context.partners !== null) change.reject('planned', 'budget_of_network')
}

/** True if the budget is approved, or was so before a change. */
async function wasApproved({ db, before }: Change): Promise<boolean> {
  if (before === null) return false
  const { rows } = await sql`select from budget_version where budget_id = ${before.id} limit 1`.execute(db)
  return before.state === 'approved' || rows.length > 0
}

/** Stores the amounts before the change, their approver (null if they are not approved), and the new amounts. */
async function saveVersion(change: Change, reason: string): Promise<void> {
  const { db, context, before } = change
  await sql`insert into budget_version (budget_id, user_id, reason, planned_before, currency_before_id, active_before, planned, currency_id,
      approved_by_id, approved_at)
    select id, ${context.userId}, ${reason}, planned, currency_id, active, ${String(change.valueOf('planned'))}::numeric,
      ${idOf(change, 'currency')}::int, approved_by_id, approved_at
    from budget where id = ${before?.id}`.execute(db)
}
