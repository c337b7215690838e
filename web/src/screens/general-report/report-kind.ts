// The four general reports differ in their call and in the shape of their rows.
import { GENERAL_REPORTS, type GeneralReportName } from '@tributary/contract/reports/choices'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import { createContext, use } from 'react'

export const ReportKindContext = createContext<GeneralReportName>('general_report')
export const useReportKind = (): GeneralReportName => use(ReportKindContext)

export const isFlatReport = (kind: GeneralReportName): boolean => GENERAL_REPORTS[kind].isFlat

/** The initial levels of a report. */
export const firstLevels = (kind: GeneralReportName): readonly DimensionName[] =>
  isFlatReport(kind) ? ['offer', 'day'] : ['offer', 'traffic_source']

/** The key of its words and the stem of its path. */
export const SCREEN_OF = {
  general_report: 'general-report',
  general_report_old: 'general-report-old',
  general_report_click: 'general-report-click',
  general_report_click_old: 'general-report-click-old',
} as const satisfies Record<GeneralReportName, string>
