// English sentences of alerts, for the dashboard and mails.
import type { AlertSentences } from '../../alerts.ts'

export const alertsEn: AlertSentences = {
  overlimit: { title: 'Overlimit', text: 'The plan of {planned} {currency} is used up: {actual} spent' },
  overlimit_expected: {
    title: 'Overlimit soon',
    text: 'Spent {actual} of {planned} {currency}. Days left at this pace: {days}',
  },
  spend_without_plan: { title: 'Spend without a plan', text: 'Spent {actual} {currency}, nothing is planned' },
  budget_deficit: {
    title: 'Budget deficit',
    text: 'Predicted for the month: {prediction} {currency}; planned: {planned}',
  },
  spend_rise: {
    title: 'Spend rise',
    text: 'Predicted for the month: {prediction} {currency}; the month before: {previous}',
  },
  missing_spends: {
    title: 'Missing spends',
    text: 'Active days without spend: {days}, the first is {first}',
  },
  failing_host: {
    title: 'Failing postback hosts',
    text: '{failed} of {calls} postbacks failed in the last 24 hours; waiting for a retry: {retrying}',
  },
  resolutions_due: {
    title: 'Resolutions due',
    text: 'Qualified players without a payment resolution: {count}; the earliest end of a hold: {first}',
  },
  sheet_warnings: {
    title: 'Spend sheets with warnings',
    text: 'Warnings: {warnings}, parsed on {day}',
  },
  player_report_warnings: {
    title: 'Player reports with warnings',
    text: 'Status: {status}, on {day}. Warnings: {warnings}',
  },
  silent_partner_offer: {
    title: 'Silent partner offers',
    text: 'No clicks since {last}; {rate} a day before',
  },
  unapproved_partners: {
    title: 'Partners to approve',
    text: 'Waiting: {count}, the oldest since {first}',
  },
  unapproved_offers: {
    title: 'Offers to approve',
    text: 'Waiting: {count}, the oldest since {first}',
  },
  unapproved_partner_offers: {
    title: 'Partner offers to approve',
    text: 'Waiting: {count}, the oldest since {first}',
  },
}
