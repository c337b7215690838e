// Alerts: what needs attention now. Each is an entry here, with its sentences (words/*/alerts.ts) and the server's way to find it.
import { ADMIN_ONLY, ADMIN_OR_LEADERS, leadersOr, type Requirement, staffLeadersOr } from './access.ts'
import { PAYMENT_EDIT } from './entities/player.ts'

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
  /** Postbacks to a partner's host fail. */
  failing_host: { access: staffLeadersOr('partners_view'), tone: 'negative' },
  spend_without_plan: { ...budget, tone: 'negative' },
  /** The plan will be used up within the days of the settings. */
  overlimit_expected: { ...budget, tone: 'warning' },
  /** More is predicted than planned, by more than the percentage of the settings. */
  budget_deficit: { ...budget, tone: 'warning' },
  /** Qualified players without a payment resolution whose hold ends soon. */
  resolutions_due: { access: PAYMENT_EDIT, tone: 'warning' },
  /** A partner's days with activity still lack a spend after the days of the settings. */
  missing_spends: { access: staffLeadersOr('partners_spend_view'), tone: 'warning' },
  /** The latest parse of a spend sheet has warnings. */
  sheet_warnings: { access: staffLeadersOr('partners_spend_view'), tone: 'warning' },
  /** A recent player report failed or has warnings. */
  player_report_warnings: { access: ADMIN_ONLY, tone: 'warning' },
  /** A partner offer that had clicks every day has none any more. */
  silent_partner_offer: { access: staffLeadersOr('manager_access'), tone: 'warning' },
  /** More is predicted than the previous month's spend times the factor of the settings. */
  spend_rise: { ...budget, tone: 'accent' },
  unapproved_partners: { access: staffLeadersOr('partners_edit'), tone: 'accent' },
  unapproved_offers: { access: ADMIN_OR_LEADERS, tone: 'accent' },
  unapproved_partner_offers: { access: staffLeadersOr('manager_access'), tone: 'accent' },
} as const satisfies Record<string, AlertKind>

export type AlertName = keyof typeof ALERTS
/** All kinds of alerts, in the order of their declaration. */
export const ALERT_NAMES = Object.keys(ALERTS) as readonly AlertName[]
/** The declaration of a kind of alert. */
export const alertKind = (name: AlertName): AlertKind => ALERTS[name]

/** The words of a kind of alert: its title, and the sentence that each alert fills. */
export type AlertSentences = Readonly<Record<AlertName, { readonly title: string; readonly text: string }>>

/** The titles of all kinds. */
export const titlesOf = (sentences: AlertSentences): Readonly<Record<AlertName, string>> =>
  // Every name has an entry, because the names are those of the sentences.
  Object.fromEntries(ALERT_NAMES.map((name) => [name, sentences[name].title])) as Record<AlertName, string>
