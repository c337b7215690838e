// Budgets: a month has one budget of a cell, stored under its first day. What is approved changes only with a reason, and is kept as it was.

import { sql } from 'kysely'
import { type Change, type EntityRules, idOf, isCreating } from '../engine/model/entity-rules.ts'
import { readReportCurrency } from './finance.ts'

async function complete(change: Change): Promise<void> {
  const { values, db } = change
  if (typeof values.month === 'string') values.month = `${values.month.slice(0, 8)}01`
  if (change.valueOf('currency') == null) values.currency = (await readReportCurrency(db)) ?? null
}

export const partnerBudgetRules: EntityRules = { prepare: complete }

const CELL = ['advertiser', 'country', 'month'] as const

export const budgetRules: EntityRules = {
  async prepare(change) {
    const { values, before } = change
    const reason = typeof values.reason === 'string' ? values.reason.trim() : ''
    Reflect.deleteProperty(values, 'reason')
    await complete(change)
    // The store counts a month's other days as a change.
    if (values.month === before?.month) Reflect.deleteProperty(values, 'month')
    if (isCreating(change) || before?.state !== 'approved' || Object.keys(values).length === 0) return
    for (const field of CELL) if (Object.hasOwn(values, field)) change.refuse(field, 'fixed')
    if (reason === '') return change.refuse('reason', 'required')
    await keepVersion(change, reason)
    Object.assign(values, { state: 'proposed', approved_by: null, approved_at: null })
  },

  async prepareRemoval(change) {
    if (change.before?.state === 'approved') change.refuse('state', 'budget_approved_stays')
  },
}

/** What was approved, by whom, and what it becomes. */
async function keepVersion(change: Change, reason: string): Promise<void> {
  const { db, context, before } = change
  await sql`insert into budget_version (budget_id, user_id, reason, planned_before, currency_before_id, active_before, planned, currency_id,
      approved_by_id, approved_at)
    select id, ${context.userId}, ${reason}, planned, currency_id, active, ${String(change.valueOf('planned'))}::numeric,
      ${idOf(change, 'currency')}::int, approved_by_id, approved_at
    from budget where id = ${before?.id}`.execute(db)
}
