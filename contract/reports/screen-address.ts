// Paths of report screens, and the URL that opens a saved report.
import type { GeneralReportName } from './choices.ts'
import type { CohortReportName } from './cohort-choices.ts'

type Paths<N extends string> = Readonly<Record<N, string>>

/** Paths of screens by the report's path on the wire. */
export const REPORT_SCREENS = {
  general_report: '/general-report',
  general_report_old: '/general-report-old',
  general_report_click: '/general-report-click',
  general_report_click_old: '/general-report-click-old',
  cohort_analysis: '/cohort-analysis',
  cohort_analysis_old: '/cohort-analysis-old',
  cohort_analysis_cumulative: '/cohort-analysis-cumulative',
  cost_report: '/costs-report',
  'partner_report/new_deposit': '/partners-report',
  'partner_report/stream_report': '/partners-report',
  new_streams: '/new-streams',
  dashboard: '/dashboard',
  'budget_report/report': '/budget-plan',
} as const satisfies Paths<GeneralReportName> & Paths<CohortReportName> & Paths<string>

/** Mail programs cut longer URLs, and proxies reject them. */
const ADDRESS_CAP = 2000

/** `report`: its path on the wire; `search`: the query of the screen's URL, omitted if the URL would exceed ADDRESS_CAP. */
export function screenAddress(report: string, search: Readonly<Record<string, unknown>>): string {
  const path = Object.entries(REPORT_SCREENS).find(([name]) => name === report)?.[1] ?? '/'
  const parameters = Object.entries(search).flatMap(([key, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(key)}=${encodeURIComponent(writeValue(value))}`],
  )
  const address = parameters.length === 0 ? path : `${path}?${parameters.join('&')}`
  return address.length > ADDRESS_CAP ? path : address
}

/** Writes a value as the screens' router does: as JSON, except texts that are not valid JSON. */
function writeValue(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return readsAsJson(value) ? JSON.stringify(value) : value
}

function readsAsJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
