// What of a saved report its recipient sees, by the rules of the screens: a shared report may name what another person may not see.
import { type AccessHolder, isAllowed, type RoleKind } from '@tributary/contract/access'
import { GENERAL_REPORTS, LEVEL_FIELDS, REPORT_FILTER_NAMES, reportFilterOf } from '@tributary/contract/reports/choices'
import { readFormulaKey } from '@tributary/contract/reports/column-name'
import type { GeneralReportRequest } from '@tributary/contract/reports/general'
import { REPORTS } from '@tributary/contract/reports/registry'
import type { SavedReportState } from '@tributary/contract/reports/saved'
import { isKeyVisibleTo, isVisibleTo, visibleLevels } from '@tributary/contract/reports/traffic'
import { AppError, invalidField } from '../../lib/app-error.ts'

/** Omits columns that are hidden from the role or deleted, and an order by one of them. */
export function visibleColumns(
  state: SavedReportState,
  role: RoleKind,
  formulas: ReadonlyMap<number, unknown>,
): SavedReportState {
  const isKnown = (name: string): boolean => {
    const own = readFormulaKey(name)
    return own === null ? isKeyVisibleTo(name, role) : formulas.has(own.id)
  }
  const { sort, ...request } = state.request
  const by = typeof sort === 'object' && sort !== null && 'by' in sort ? String(sort.by) : ''
  return {
    ...state,
    columns: state.columns.filter(isKnown),
    request: isKnown(by) ? state.request : request,
  }
}

/**
 * Omits hidden levels, filters and metric filters where the report's screen opens without them; other reports are rejected with them. The schema of
 * the report has checked `request`.
 */
export function visibleRequest(
  report: string,
  request: Record<string, unknown>,
  role: RoleKind,
): Record<string, unknown> {
  return Object.hasOwn(GENERAL_REPORTS, report) ? visibleGeneralRequest(request as GeneralReportRequest, role) : request
}

function visibleGeneralRequest(
  { filter, cfFilter, ...request }: GeneralReportRequest,
  role: RoleKind,
): Omit<GeneralReportRequest, 'formulas'> {
  const levels = LEVEL_FIELDS.flatMap((field) => (filter[field] === 'off' ? [] : filter[field]))
  const seen = levels.length === 0 ? [] : visibleLevels(levels, role)
  const hidden = REPORT_FILTER_NAMES.filter((name) => !isVisibleTo(reportFilterOf(name), role))
  return {
    ...request,
    filter: {
      ...filter,
      ...Object.fromEntries(LEVEL_FIELDS.map((field, at) => [field, seen[at] ?? 'off'])),
      ...Object.fromEntries(hidden.map((name) => [name, undefined])),
    },
    cfFilter: Object.fromEntries(Object.entries(cfFilter).filter(([key]) => isKeyVisibleTo(key, role))),
  }
}

/** Who uses saved reports and formulas. */
export interface ReportUser extends AccessHolder {
  readonly id: number
  readonly role: RoleKind
}

/** Throws AppError: `invalid` for an unknown report, `forbidden` for one that the user may not run. */
export function requireReport(path: string, user: AccessHolder): (typeof REPORTS)[number] {
  const report = REPORTS.find((known) => known.path === path)
  if (report === undefined) throw invalidField('report', 'choice_unknown')
  if (!isAllowed(report.access, user)) throw new AppError('forbidden')
  return report
}

export const mayRun = (path: string, user: AccessHolder): boolean => {
  const report = REPORTS.find((known) => known.path === path)
  return report !== undefined && isAllowed(report.access, user)
}
