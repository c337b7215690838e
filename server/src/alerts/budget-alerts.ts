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

interface BudgetAlertKind {
  /** How much is at stake. */
  readonly weight: (group: BudgetGroup) => number
  readonly facts: (group: BudgetGroup) => readonly (string | number | null)[]
}

/** The warnings that are alerts. */
const KINDS = {
  overlimit: {
    weight: ({ free_budget }) => -Number(free_budget ?? 0),
    facts: ({ actual_budget, budget }) => [budget.budget, tenths(actual_budget, budget.budget)],
  },
  overlimit_expected: {
    // The sooner, the heavier.
    weight: ({ days_to_overlimit }) => -(days_to_overlimit ?? 0),
    facts: ({ days_to_overlimit, budget }) => [budget.budget, days_to_overlimit],
  },
  spend_without_plan: {
    weight: ({ actual_budget }) => Number(actual_budget),
    facts: ({ actual_budget }) => [magnitude(actual_budget)],
  },
  budget_deficit: {
    weight: ({ prediction, budget }) => Number(prediction ?? 0) - Number(budget.budget ?? 0),
    facts: ({ prediction, budget }) => [budget.budget, tenths(prediction, budget.budget)],
  },
  spend_rise: {
    weight: ({ prediction, previous }) => Number(prediction ?? 0) - Number(previous),
    facts: ({ prediction, previous }) => [previous, tenths(prediction, previous)],
  },
} as const satisfies Partial<Record<BudgetWarning & AlertName, BudgetAlertKind>>

/** How many tenths of the whole the part is; of nothing, its magnitude. */
function tenths(part: string | null, whole: string | null): string | number {
  const of = Number(whole ?? 0)
  return of > 0 ? Math.floor((Number(part ?? 0) * 10) / of) : magnitude(part)
}

/** The first digit, and how many there are: '3e4' of 34567. */
const magnitude = (amount: string | null): string => `${(amount ?? '0').at(0)}e${(amount ?? '0').length - 1}`

type BudgetAlert = keyof typeof KINDS
const BUDGET_ALERTS = Object.keys(KINDS) as readonly BudgetAlert[]

export const budgetAlerts: AlertSource = async (viewer, _today, services, signal) => {
  const answer = await answerBudget(budgetRequest.parse({}), viewer, services, signal)
  return answer.rows.flatMap((row) =>
    row.groups.flatMap((group) =>
      BUDGET_ALERTS.filter((name) => group.warnings.includes(name)).map((name) => toAlert(name, row, group, answer)),
    ),
  )
}

function toAlert(
  alert: BudgetAlert,
  row: BudgetRow,
  group: BudgetGroup,
  { month, currency }: BudgetAnswer,
): FoundAlert {
  const address = new URLSearchParams({ month, q: `${row.advertiser.title} ${group.country.title}`, warning: alert })
  return {
    alert,
    subject: `${month} ${row.advertiser_id} ${group.country_id}`,
    facts: KINDS[alert].facts(group).join(' '),
    title: `${row.advertiser.title} · ${group.country.title}`,
    values: {
      currency,
      actual: amount(group.actual_budget),
      planned: amount(group.budget.budget),
      previous: amount(group.previous),
      prediction: amount(group.prediction),
      days: group.days_to_overlimit || '< 1',
    },
    about: [{ entity: 'advertiser', id: row.advertiser_id }],
    address: `/budget-plan?${address.toString()}`,
    weight: KINDS[alert].weight(group),
  }
}

/** '1234567' → '1 234 567', as the screens write it. */
const amount = (text: string | null): string => (text ?? '0').replace(/\B(?=(\d{3})+$)/g, '\u00a0')
