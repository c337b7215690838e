// Alerts of the budget plan: the warnings of the current month's cells.
import type { AlertName } from '@tributary/contract/alerts'
import {
  type BudgetAnswer,
  type BudgetGroup,
  type BudgetRow,
  type BudgetWarning,
  budgetRequest,
} from '@tributary/contract/reports/budget'
import { answerBudget } from '../reports/kinds/budget.ts'
import type { AlertSource, FoundAlert } from './alert-source.ts'

/** The warnings that are alerts, and how much is at stake. */
const WEIGHTS = {
  overlimit: ({ free_budget }) => -Number(free_budget ?? 0),
  // The sooner, the heavier.
  overlimit_expected: ({ days_to_overlimit }) => -(days_to_overlimit ?? 0),
  spend_without_plan: ({ actual_budget }) => Number(actual_budget),
  budget_deficit: ({ prediction, budget }) => Number(prediction ?? 0) - Number(budget.budget ?? 0),
  spend_rise: ({ prediction, previous }) => Number(prediction ?? 0) - Number(previous),
} as const satisfies Partial<Record<BudgetWarning & AlertName, (group: BudgetGroup) => number>>

type BudgetAlert = keyof typeof WEIGHTS
const BUDGET_ALERTS = Object.keys(WEIGHTS) as readonly BudgetAlert[]

export const budgetAlerts: AlertSource = {
  alerts: BUDGET_ALERTS,
  async find({ role, language, rows: { partners } }, _today, services, signal) {
    const answer = await answerBudget(budgetRequest.parse({}), { role, partners, language }, services, signal)
    return answer.rows.flatMap((row) =>
      row.groups.flatMap((group) =>
        BUDGET_ALERTS.filter((name) => group.warnings.includes(name)).map((name) => toAlert(name, row, group, answer)),
      ),
    )
  },
}

function toAlert(
  alert: BudgetAlert,
  row: BudgetRow,
  group: BudgetGroup,
  { month, currency }: BudgetAnswer,
): FoundAlert {
  const address = new URLSearchParams({ month, q: row.advertiser.title, warning: alert })
  return {
    alert,
    title: `${row.advertiser.title} · ${group.country.title}`,
    values: {
      currency,
      actual: amount(group.actual_budget),
      planned: amount(group.budget.budget),
      previous: amount(group.previous),
      prediction: amount(group.prediction),
      days: group.days_to_overlimit || '< 1',
    },
    address: `/budget-plan?${address.toString()}`,
    weight: WEIGHTS[alert](group),
  }
}

/** '1234567' → '1 234 567', as the screens write it. */
const amount = (text: string | null): string => (text ?? '0').replace(/\B(?=(\d{3})+$)/g, '\u00a0')
