// The planned spend for an advertiser's country in a month; a partner's share of it is a partner_budget.
import { leadersOr } from '../access.ts'
import { defineEntity } from '../entity.ts'
import type { Fields } from '../field.ts'

const write = leadersOr('budget_report_edit')

const access = {
  view: leadersOr('budget_report_view'),
  lookup: leadersOr('budget_report_view'),
  create: write,
  edit: write,
  remove: write,
} as const

const fields = {
  advertiser: { kind: 'reference', to: 'advertiser', required: true },
  country: { kind: 'reference', to: 'country', required: true },
  /** Stored as the first day of the month. */
  month: { kind: 'date', required: true },
  planned: { kind: 'decimal', scale: 4, min: 0, max: 1_000_000_000, unit: 'money', required: true },
} as const satisfies Fields

export const budget = defineEntity({
  name: 'budget',
  route: '/budget-plan',
  access,
  scope: { by: 'everyone' },
  title: 'month',
  fields,
  unique: [['advertiser', 'country', 'month']],
  hasActive: true,
  createsInModal: true,
  list: {
    columns: ['month', 'advertiser', 'country', 'planned'],
    filters: ['month', 'advertiser', 'country', 'planned'],
    sort: { by: 'month', desc: true },
    opens: { path: 'month', period: 'current_month' },
  },
  form: [{ name: 'main', fields: ['advertiser', 'country', 'month', 'planned'] }],
})

export const partnerBudget = defineEntity({
  name: 'partner_budget',
  route: null,
  access,
  scope: { by: 'partner', column: 'partner_id' },
  title: 'month',
  fields: { partner: { kind: 'reference', to: 'partner', required: true }, ...fields },
  unique: [['partner', 'advertiser', 'country', 'month']],
  hasActive: true,
  list: {
    columns: ['month', 'partner', 'advertiser', 'country', 'planned'],
    filters: ['month', 'partner', 'advertiser', 'country', 'planned'],
    sort: { by: 'month', desc: true },
    opens: { path: 'month', period: 'current_month' },
  },
  form: [{ name: 'main', fields: ['partner', 'advertiser', 'country', 'month', 'planned'] }],
})
