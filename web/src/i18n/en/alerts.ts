// English words of the dashboard and its queue of alerts.
import { titlesOf } from '@tributary/contract/alerts'
import { alertsEn as sentences } from '@tributary/contract/words/en/alerts'

export const alertsEn = {
  title: 'What needs me',
  kinds: titlesOf(sentences),
  none: 'Nothing needs attention now.',
  failed: 'Alerts could not be loaded.',
  more: 'More alerts: {{count}}',
  showAll: 'Show all ({{count}})',
  showUrgent: 'Show only the most urgent',
  dismiss: 'Dismiss',
  dismissedUntil: 'Dismissed until it changes',
  showDismissed: 'Dismissed: {{count}}',
  hideDismissed: 'Hide dismissed',
  bringBack: 'Bring back',
  mail: 'Daily email',
  mailNext: 'Next: {{at}}, if there are alerts',
  mailSent: 'Last sent: {{at}}',
} as const

export const dashboardEn = {
  chart: 'Chart',
  table: 'Table',
  efficiency: 'Efficiency',
  keyNumbers: 'Key numbers',
  topTotal: 'Top 5 in total',
  topPartners: 'Top 5 partners',
  topCountries: 'Top 5 countries',
  all: 'All',
  arrange: 'Arrange',
  sections: 'Sections',
} as const
