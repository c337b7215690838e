// Brings the screen and its words at the same time: nothing is shown untranslated.
import type { GeneralReportName } from '@tributary/contract/reports/choices'
import { type ComponentType, createElement } from 'react'
import { loadReportWords } from '../../i18n/report-words.ts'

export const openGeneralReport = (kind: GeneralReportName) => async (): Promise<{ default: ComponentType }> => {
  const [part] = await Promise.all([import('./general-report-screen.tsx'), loadReportWords()])
  return { default: () => createElement(part.GeneralReportScreen, { kind }) }
}
