// Who uses saved reports and formulas, and which reports they may run.

import { type Holder, isAllowed, type RoleKind } from '@tributary/contract/access'
import { REPORTS } from '@tributary/contract/reports/registry'
import { AppError, invalidField } from '../../lib/app-error.ts'

export interface ReportUser extends Holder {
  readonly id: number
  readonly role: RoleKind
}

/** Throws AppError: `invalid` for an unknown report, `forbidden` for one that the user may not run. */
export function requireReport(path: string, user: Holder): (typeof REPORTS)[number] {
  const report = REPORTS.find((known) => known.path === path)
  if (report === undefined) throw invalidField('report', 'choice_unknown')
  if (!isAllowed(report.access, user)) throw new AppError('forbidden')
  return report
}

export const mayRun = (path: string, user: Holder): boolean => {
  const report = REPORTS.find((known) => known.path === path)
  return report !== undefined && isAllowed(report.access, user)
}
