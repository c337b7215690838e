// The screen of a report: its path, and the address that opens a saved report.
import type { GeneralReportName } from './choices.ts'
import type { CohortReportName } from './cohort-choices.ts'

type Paths<N extends string> = Readonly<Record<N, string>>

/** By the path of the report on the wire. */
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

/** Mail programs cut longer addresses, and proxies reject them. */
const ADDRESS_CAP = 2000

/** `report`: its path on the wire; `search`: the query of the screen's address. Beyond ADDRESS_CAP characters the path alone. */
export function screenAddress(report: string, search: Readonly<Record<string, unknown>>): string {
  const path = Object.entries(REPORT_SCREENS).find(([name]) => name === report)?.[1] ?? '/'
  const said = Object.entries(search).flatMap(([key, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(key)}=${encodeURIComponent(writeValue(value))}`],
  )
  const address = said.length === 0 ? path : `${path}?${said.join('&')}`
  return address.length > ADDRESS_CAP ? path : address
}

/** As the router of the screens writes it: JSON, except texts that are not valid JSON. */
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
