// English words of the queue of alerts.
import { alertsEn as sentences } from '@tributary/contract/words/en/alerts'

export const alertsEn = {
  title: 'Alerts',
  kinds: {
    overlimit: sentences.overlimit.title,
    overlimit_expected: sentences.overlimit_expected.title,
    spend_without_plan: sentences.spend_without_plan.title,
    budget_deficit: sentences.budget_deficit.title,
    spend_rise: sentences.spend_rise.title,
    missing_spends: sentences.missing_spends.title,
  },
  byKind: 'Alerts by kind',
  none: 'Nothing needs attention now.',
  failed: 'Alerts could not be loaded.',
  showAll: 'Show all ({{count}})',
  showFirst: 'Show the first {{count}}',
  showLess: 'Show less',
  more: 'Further alerts: {{count}}',
  dismiss: 'Dismiss',
  dismissedUntil: 'Dismissed until it changes',
  showDismissed: 'Dismissed: {{count}}',
  hideDismissed: 'Hide the dismissed ones',
  bringBack: 'Bring back',
  mail: 'A mail a day',
  mailNext: 'At {{at}}, if there are alerts',
  mailSent: 'The last one: {{at}}',
} as const
