export const budget = {
  title: 'Budget plan',
  one: 'budget',
  subtitle: 'What may be spent on an advertiser’s country in a month',
  create: 'New budget',
  fields: { advertiser: 'Advertiser', country: 'Country', month: 'Month', planned: 'Planned' },
} as const

export const partnerBudget = {
  title: 'Partner budgets',
  one: 'partner budget',
  subtitle: 'A partner’s part of a budget',
  create: 'New partner budget',
  fields: { partner: 'Partner', advertiser: 'Advertiser', country: 'Country', month: 'Month', planned: 'Planned' },
} as const
