// Words found alerts for a user: only kinds that the user may see, the most urgent first, those that are dismissed apart.
import { type AccessHolder, isAllowed } from '@tributary/contract/access'
import { ALERT_NAMES, type AlertName, alertKind } from '@tributary/contract/alerts'
import type { Alert } from '@tributary/contract/calls/alert'
import type { Language } from '@tributary/contract/language'
import { alertsEn } from '@tributary/contract/words/en/alerts'
import { alertsRu } from '@tributary/contract/words/ru/alerts'
import type { Services } from '../services.ts'
import type { FoundAlert } from './alert-source.ts'
import { readDismissals } from './dismissals.ts'

const SENTENCES = { en: alertsEn, ru: alertsRu } as const satisfies Record<Language, unknown>

export const alertTitle = (language: Language, name: AlertName): string => SENTENCES[language][name].title

export interface AlertReader extends AccessHolder {
  readonly id: number
  readonly language: Language
}

export interface UserAlerts {
  readonly open: readonly Alert[]
  readonly dismissed: readonly Alert[]
}

export async function readAlerts(
  reader: AlertReader,
  found: readonly FoundAlert[],
  { postgres }: Pick<Services, 'postgres'>,
): Promise<UserAlerts> {
  const seen = new Set(ALERT_NAMES.filter((name) => isAllowed(alertKind(name).access, reader)))
  const alerts = found
    .filter(({ alert }) => seen.has(alert))
    .toSorted((a, b) => ALERT_NAMES.indexOf(a.alert) - ALERT_NAMES.indexOf(b.alert) || b.weight - a.weight)
    .map((alert) => toWire(alert, reader.language))
  const dismissals = await readDismissals(postgres, reader.id)
  const { open = [], dismissed = [] } = Object.groupBy(alerts, (alert) =>
    dismissals.hold(alert) ? 'dismissed' : 'open',
  )
  return { open, dismissed }
}

const toWire = (
  { alert, subject, facts, count = 1, title, values, address }: FoundAlert,
  language: Language,
): Alert => ({
  alert,
  subject,
  facts,
  count,
  title,
  message: SENTENCES[language][alert].text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(values[name] ?? whole),
  ),
  address,
})

/** The first `most` alerts of each kind, in their order. */
export const firstOfEach = (alerts: readonly Alert[], most: number): Alert[] =>
  [...Map.groupBy(alerts, ({ alert }) => alert).values()].flatMap((own) => own.slice(0, most))

/** One alert may stand for many records; the dashboard and the mail count these. */
export const countAlerts = (alerts: readonly Alert[]): number => alerts.reduce((sum, { count }) => sum + count, 0)
