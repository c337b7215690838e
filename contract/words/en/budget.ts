// English names of what the budget plan shows: on its screen and in its files.
import type { BudgetState } from '../../entities/budget.ts'
import type { BudgetWarning } from '../../reports/budget.ts'

export const budgetWordsEn = {
  title: 'Budget plan',
  planned: 'Planned',
  actual: 'Actual',
  free: 'Free',
  previous: 'Previous month',
  prediction: 'Prediction',
  days_to_overlimit: 'Days to overlimit',
  state: 'State',
  warnings: 'Warnings',
  unallocated: 'Unallocated spend (NUS)',
  states: { draft: 'Draft', proposed: 'Proposed', approved: 'Approved' } satisfies Record<BudgetState, string>,
  signs: {
    overlimit: 'Overlimit',
    overlimit_expected: 'Overlimit soon',
    budget_deficit: 'Budget deficit',
    spend_rise: 'Spend rise',
    spend_without_plan: 'Spend without a plan',
    parts_above_plan: 'Partner budgets exceed the plan',
    rate_missing: 'Rate missing',
  } satisfies Record<BudgetWarning, string>,
} as const
