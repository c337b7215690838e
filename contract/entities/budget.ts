// Entities: budget, the planned spend for an advertiser's country in a month; partner_budget, a partner's part of it; budget_version.
import { leadersOr, NOBODY, staffLeadersOr, writtenBy } from '../access.ts'
import { defineEntity } from '../entity.ts'
import type { Fields } from '../field.ts'

const view = leadersOr('budget_report_view')

const access = { view, lookup: view, ...writtenBy(staffLeadersOr('budget_report_edit')) } as const

const planned = { kind: 'decimal', scale: 4, min: 0, max: 1_000_000_000, unit: 'money' } as const

const fields = {
  advertiser: { kind: 'reference', to: 'advertiser', required: true },
  country: { kind: 'reference', to: 'country', required: true },
  /** Stored as the first day of the month. */
  month: { kind: 'date', isMonth: true, required: true },
  planned: { ...planned, required: true },
  /** Default: the report currency. Amounts are converted by the rate of the first day of the month. */
  currency: { kind: 'reference', to: 'currency' },
} as const satisfies Fields

export const BUDGET_STATES = ['draft', 'proposed', 'approved'] as const
export type BudgetState = (typeof BUDGET_STATES)[number]

/** The plan of the whole network; a narrowed view plans with the parts of its partners. */
export const budget = defineEntity({
  name: 'budget',
  route: '/budgets',
  access,
  scope: { by: 'all_partners' },
  title: 'month',
  namedBy: ['advertiser', 'country', 'month'],
  fields: {
    ...fields,
    /** The calls budget_propose, budget_approve and budget_withdraw change it. Editing an approved budget makes it `proposed` again. */
    state: { kind: 'choice', options: BUDGET_STATES, readOnly: true },
    approved_by: { kind: 'reference', to: 'user', readOnly: true },
    approved_at: { kind: 'datetime', readOnly: true },
    /** Required when an approved budget changes; its budget_version stores it. */
    reason: { kind: 'text', format: 'long', max: 1000, writeOnly: true },
  },
  unique: [['advertiser', 'country', 'month']],
  hasActive: true,
  keeps: { field: 'state', is: ['approved'] },
  createsInModal: true,
  list: {
    columns: ['month', 'advertiser', 'country', 'planned', 'currency', 'state', 'approved_by'],
    filters: ['month', 'advertiser', 'country', 'planned', 'state'],
    sort: { by: 'month', desc: true },
    opens: { path: 'month', period: 'current_month' },
  },
  form: [{ name: 'main', fields: ['advertiser', 'country', 'month', 'planned', 'currency', 'reason'] }],
})

/** An approved budget as it was before a change, with the reason. The changing transaction writes it. */
export const budgetVersion = defineEntity({
  name: 'budget_version',
  route: null,
  access: { view, lookup: NOBODY, ...writtenBy(NOBODY) },
  scope: { by: 'all_partners' },
  title: 'id',
  fields: {
    budget: { kind: 'reference', to: 'budget', readOnly: true },
    user: { kind: 'reference', to: 'user', readOnly: true },
    reason: { kind: 'text', format: 'long', readOnly: true },
    planned_before: { ...planned, readOnly: true },
    currency_before: { kind: 'reference', to: 'currency', readOnly: true },
    active_before: { kind: 'boolean', readOnly: true },
    planned: { ...planned, readOnly: true },
    currency: { kind: 'reference', to: 'currency', readOnly: true },
    approved_by: { kind: 'reference', to: 'user', readOnly: true },
    approved_at: { kind: 'datetime', readOnly: true },
  },
  unique: [],
  hasActive: false,
  isLog: true,
  list: {
    columns: ['created_at', 'budget', 'user', 'reason', 'planned_before', 'currency_before', 'planned', 'currency'],
    filters: ['budget', 'user', 'created_at'],
    sort: { by: 'id', desc: true },
  },
  form: [],
})

export const partnerBudget = defineEntity({
  name: 'partner_budget',
  route: null,
  access,
  scope: { by: 'partner', column: 'partner_id' },
  title: 'month',
  namedBy: ['partner', 'advertiser', 'country', 'month'],
  fields: { partner: { kind: 'reference', to: 'partner', required: true }, ...fields },
  unique: [['partner', 'advertiser', 'country', 'month']],
  hasActive: true,
  list: {
    columns: ['month', 'partner', 'advertiser', 'country', 'planned', 'currency'],
    filters: ['month', 'partner', 'advertiser', 'country', 'planned'],
    sort: { by: 'month', desc: true },
    opens: { path: 'month', period: 'current_month' },
  },
  form: [{ name: 'main', fields: ['partner', 'advertiser', 'country', 'month', 'planned', 'currency'] }],
})
