// Brings the screen and its words at the same time: nothing is shown untranslated.
import type { CohortReportName } from '@tributary/contract/reports/cohort-choices'
import { type ComponentType, createElement } from 'react'
import { loadReportWords } from '../../i18n/report-words.ts'

export const openCohorts = (name: CohortReportName) => async (): Promise<{ default: ComponentType }> => {
  const [part] = await Promise.all([import('./cohort-screen.tsx'), loadReportWords()])
  return { default: () => createElement(part.CohortScreen, { key: name, name }) }
}
