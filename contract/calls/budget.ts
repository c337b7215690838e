// Budgets: their states, the plan of a month copied from the one before, and the plan's rows under the path of its report.
import { z } from 'zod'
import { ADMIN_ONLY, leadersOr } from '../access.ts'
import { defineCall, ENTITY_BODY_LIMITS } from '../call.ts'
import { listOf } from '../list-of.ts'
import { monthSchema } from '../month.ts'

const view = leadersOr('budget_report_view')
const edit = leadersOr('budget_report_edit')

const IDS_CAP = 2000
const isRowId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0
/** Budgets, all of which are in the state that the change starts from; otherwise none of them changes (409). */
const budgets = z.strictObject({ ids: listOf(z.int().positive(), isRowId, IDS_CAP) })
const changed = z.object({ changed: z.int() })

/** draft → proposed. */
export const budgetPropose = defineCall({
  name: 'budget_propose',
  method: 'PUT',
  path: 'budget_report/propose',
  access: edit,
  body: budgets,
  bodyLimits: { members: IDS_CAP + 10 },
  answer: changed,
})

/** proposed → draft. */
export const budgetWithdraw = defineCall({
  ...budgetPropose,
  name: 'budget_withdraw',
  path: 'budget_report/withdraw',
})

/** proposed → approved. */
export const budgetApprove = defineCall({
  ...budgetPropose,
  name: 'budget_approve',
  path: 'budget_report/approve',
  access: ADMIN_ONLY,
  sessionOnly: true,
})

const PERCENT = /^-?\d{1,4}(\.\d{1,2})?$/

/**
 * Makes drafts of the previous month's budgets, and its partners' parts, changed by a percentage and rounded to hundredths. Cells that have a
 * budget stay as they are. Whoever sees some partners only copies the parts of these.
 */
export const budgetCopy = defineCall({
  name: 'budget_copy',
  method: 'POST',
  path: 'budget_report/copy',
  access: edit,
  body: z.strictObject({
    month: monthSchema,
    percent: z
      .string()
      .regex(PERCENT, { error: 'value_invalid' })
      .refine((text) => Number(text) >= -100 && Number(text) <= 1000, { error: 'value_invalid' })
      .default('0'),
  }),
  /** `kept`: cells of the previous month that already had a budget. */
  answer: z.object({ created: z.int(), kept: z.int() }),
  status: 201,
})

// The rows of the plan as a resource; they are rows of the entity budget.

const ROWS = 'budget_report/report'
const params = z.strictObject({ id: z.string() })
const row = z.record(z.string(), z.unknown())
const body = z.looseObject({})

export const budgetReportList = defineCall({
  name: 'budget_report_list',
  method: 'GET',
  path: ROWS,
  access: view,
  /** A list query, as of GET budget. */
  query: z.looseObject({}),
  answer: z.looseObject({}),
})

export const budgetReportRead = defineCall({
  name: 'budget_report_read',
  method: 'GET',
  path: `${ROWS}/:id`,
  access: view,
  params,
  answer: row,
})

/** Validated as in PUT budget/{id}. */
export const budgetReportUpdate = defineCall({
  name: 'budget_report_update',
  method: 'PUT',
  path: `${ROWS}/:id`,
  access: edit,
  params,
  body,
  bodyLimits: ENTITY_BODY_LIMITS,
  answer: row,
})

export const budgetReportPatch = defineCall({ ...budgetReportUpdate, name: 'budget_report_patch', method: 'PATCH' })

export const budgetReportRemove = defineCall({
  name: 'budget_report_remove',
  method: 'DELETE',
  path: `${ROWS}/:id`,
  access: edit,
  params,
  status: 204,
})
