// The words of the reports: a room of the dictionary that is downloaded with the first report, in the language in use.
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import type { reportsEn } from './en/reports.ts'
import { currentLanguage, openRoom } from './language.ts'
import type { Shape } from './shape.ts'

export type ReportWords = Shape<typeof reportsEn>

/** Must be done before a report is first drawn. */
export function loadReportWords(): Promise<void> {
  return openRoom('reports', {
    en: async () => (await import('./en/reports.ts')).reportsEn,
    ru: async () => (await import('./ru/reports.ts')).reportsRu,
  })
}

/** The words in use, for what is named at run time; the component renders again when the language changes. */
export function useReportWords(): ReportWords {
  useTranslation('reports')
  return i18next.getResourceBundle(currentLanguage(), 'reports') as ReportWords
}
