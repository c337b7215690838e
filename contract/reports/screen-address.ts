// Where a report is looked at: the path of its screen, and an address that opens it as it was kept by name.
import type { GeneralReportName } from './choices.ts'
import type { CohortReportName } from './cohort-choices.ts'

type Paths<N extends string> = Readonly<Record<N, string>>

/** By the report's path on the wire. */
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
} as const satisfies Paths<GeneralReportName> & Paths<CohortReportName> & Paths<string>

/** Longer ones are cut by mail programs and refused by proxies. */
const ADDRESS_CAP = 2000

/** `report` is its path on the wire; `search` what its screen's address says. */
export function screenAddress(report: string, search: Readonly<Record<string, unknown>>): string {
  const path = Object.entries(REPORT_SCREENS).find(([name]) => name === report)?.[1] ?? '/'
  const said = Object.entries(search).flatMap(([key, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(key)}=${encodeURIComponent(writeValue(value))}`],
  )
  const address = said.length === 0 ? path : `${path}?${said.join('&')}`
  return address.length > ADDRESS_CAP ? path : address
}

/** As the screens' router writes it: JSON, but for texts that read as nothing else. */
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
