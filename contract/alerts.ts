// Alerts: what needs attention now. Each is an entry here, with its sentences (words/*/alerts.ts) and the server's way to find it.
import { leadersOr, type Requirement, staffLeadersOr } from './access.ts'

interface AlertKind {
  /** Who gets the alert. */
  readonly access: Requirement
  readonly tone: 'negative' | 'warning' | 'accent'
}

const budget = { access: leadersOr('budget_report_view') } as const

/** The most urgent first. */
export const ALERTS = {
  /** More is spent than planned. */
  overlimit: { ...budget, tone: 'negative' },
  /** The plan will be used up within the days of the settings. */
  overlimit_expected: { ...budget, tone: 'warning' },
  spend_without_plan: { ...budget, tone: 'negative' },
  /** More is predicted than planned, by more than the percentage of the settings. */
  budget_deficit: { ...budget, tone: 'warning' },
  /** More is predicted than the previous month's spend times the factor of the settings. */
  spend_rise: { ...budget, tone: 'accent' },
  /** A partner's days with activity still lack a spend after the days of the settings. */
  missing_spends: { access: staffLeadersOr('partners_spend_view'), tone: 'warning' },
} as const satisfies Record<string, AlertKind>

export type AlertName = keyof typeof ALERTS
/** All kinds of alerts, in the order of their declaration. */
export const ALERT_NAMES = Object.keys(ALERTS) as readonly AlertName[]
/** The declaration of a kind of alert. */
export const alertKind = (name: AlertName): AlertKind => ALERTS[name]
