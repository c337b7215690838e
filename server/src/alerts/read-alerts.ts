// Reads the alerts of a viewer from the sources that may be seen.
import { isAllowed } from '@tributary/contract/access'
import { ALERT_NAMES, type AlertName, alertKind } from '@tributary/contract/alerts'
import type { Alert } from '@tributary/contract/calls/alert'
import type { Language } from '@tributary/contract/language'
import { today } from '@tributary/contract/period'
import { alertsEn } from '@tributary/contract/words/en/alerts'
import { alertsRu } from '@tributary/contract/words/ru/alerts'
import { readBusinessZone } from '../entities/engine/model/request-context.ts'
import type { Services } from '../services.ts'
import type { AlertSource, AlertViewer, FoundAlert } from './alert-source.ts'
import { budgetAlerts } from './budget-alerts.ts'
import { missingSpendAlerts } from './missing-spend-alerts.ts'

const SOURCES: readonly AlertSource[] = [budgetAlerts, missingSpendAlerts]
const SENTENCES = { en: alertsEn, ru: alertsRu } as const satisfies Record<Language, unknown>

export const alertTitle = (language: Language, name: AlertName): string => SENTENCES[language][name].title

/** The most urgent first. */
export async function readAlerts(viewer: AlertViewer, services: Services, signal: AbortSignal): Promise<Alert[]> {
  const day = today(await readBusinessZone(services.postgres.db))
  const seen = new Set(ALERT_NAMES.filter((name) => isAllowed(alertKind(name).access, viewer)))
  const sources = SOURCES.filter(({ alerts }) => alerts.some((name) => seen.has(name)))
  const found = await Promise.all(sources.map((source) => source.find(viewer, day, services, signal)))
  return found
    .flat()
    .filter(({ alert }) => seen.has(alert))
    .toSorted((a, b) => ALERT_NAMES.indexOf(a.alert) - ALERT_NAMES.indexOf(b.alert) || b.weight - a.weight)
    .map((alert) => toWire(alert, viewer.language))
}

const toWire = ({ alert, title, values, address }: FoundAlert, language: Language): Alert => ({
  alert,
  title,
  message: SENTENCES[language][alert].text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(values[name] ?? whole),
  ),
  address,
})
