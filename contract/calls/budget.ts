// Calls that change the state of budgets, copy the previous month's plan, and read and write the plan's rows under the report's path.
import { z } from 'zod'
import { ADMIN_ONLY, leadersOr, staffLeadersOr } from '../access.ts'
import { defineCall, ENTITY_BODY_LIMITS } from '../call.ts'
import { listOf } from '../list-of.ts'
import { monthSchema } from '../month.ts'
import { isRowId, rowId } from '../row-id.ts'

const view = leadersOr('budget_report_view')
const edit = staffLeadersOr('budget_report_edit')

const IDS_CAP = 2000
/** All budgets must be in the state from which the change starts; otherwise none of them changes (409). */
const budgets = z.strictObject({ ids: listOf(rowId, isRowId, IDS_CAP) })
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

/** How much a copied plan may change. */
export const COPY_PERCENT = { min: -100, max: 1000 } as const
const PERCENT = /^-?\d{1,4}(\.\d{1,2}0{0,8})?$/

/**
 * Copies the previous month's budgets and partners' parts as drafts, changed by a percentage and rounded to hundredths. Skips cells that already
 * have a budget. A user with a narrowed view copies the parts of visible partners only.
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
      .refine((text) => Number(text) >= COPY_PERCENT.min && Number(text) <= COPY_PERCENT.max, {
        error: 'value_invalid',
      })
      .default('0'),
  }),
  /** `created`: budgets, or parts if the view is narrowed. `kept`: number of cells that were skipped because the month already has a plan for them. */
  answer: z.object({ created: z.int(), kept: z.int() }),
  status: 201,
})

const ROWS = 'budget_report/report'
const params = z.strictObject({ id: z.string() })
const row = z.record(z.string(), z.unknown())
const body = z.looseObject({})

export const budgetReportList = defineCall({
  name: 'budget_report_list',
  method: 'GET',
  path: ROWS,
  access: view,
  /** The list query that GET budget accepts. */
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
