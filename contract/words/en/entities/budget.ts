const cell = {
  advertiser: 'Advertiser',
  country: 'Country',
  month: 'Month',
  planned: 'Planned',
  currency: 'Currency',
} as const

export const budget = {
  title: 'Budgets',
  one: 'budget',
  subtitle: 'Plans of all months, with their states',
  create: 'New budget',
  fields: {
    ...cell,
    state: 'State',
    approved_by: 'Approved by',
    approved_at: 'Approved',
    reason: 'Reason of the change',
  },
  choices: { state: { draft: 'Draft', proposed: 'Proposed', approved: 'Approved' } },
} as const

export const budgetVersion = {
  title: 'Budget versions',
  one: 'version of a budget',
  subtitle: 'What approved budgets were before they changed, and why they did',
  create: 'New version',
  fields: {
    budget: 'Budget',
    user: 'Changed by',
    reason: 'Reason',
    planned_before: 'Planned before',
    currency_before: 'Currency before',
    active_before: 'Active before',
    planned: 'Planned',
    currency: 'Currency',
    approved_by: 'Had been approved by',
    approved_at: 'Had been approved',
  },
} as const

export const partnerBudget = {
  title: 'Partner budgets',
  one: 'partner budget',
  subtitle: 'A partner’s part of a budget',
  create: 'New partner budget',
  fields: { partner: 'Partner', ...cell },
} as const
