// English sentences of alerts, for the dashboard and mails.
import type { AlertName } from '../../alerts.ts'

export const alertsEn: Record<AlertName, { readonly title: string; readonly text: string }> = {
  overlimit: { title: 'Overlimit', text: 'The plan of {planned} {currency} is used up: {actual} spent' },
  overlimit_expected: {
    title: 'Overlimit soon',
    text: 'Days until the plan is used up: {days}. Spent {actual} of {planned} {currency}',
  },
  spend_without_plan: { title: 'Spend without a plan', text: 'Spent {actual} {currency}, nothing is planned' },
  budget_deficit: {
    title: 'Budget deficit',
    text: 'The month is predicted to end at {prediction} of {planned} {currency}',
  },
  spend_rise: {
    title: 'Spend rise',
    text: 'The month is predicted to end at {prediction} {currency}; the month before: {previous}',
  },
  missing_spends: {
    title: 'Missing spends',
    text: 'Days with activity and without spend: {days}, the earliest is {first}',
  },
}
