// Who works with saved reports and formulas: what they may see decides what they are shown of them.

import { type Holder, isAllowed, type RoleKind } from '@tributary/contract/access'
import { REPORTS } from '@tributary/contract/reports/registry'
import { AppError, invalidField } from '../../lib/app-error.ts'

export interface Asker extends Holder {
  readonly id: number
  readonly role: RoleKind
}

/** Refuses what is no report, and one that the person may not ask for. */
export function reportFor(path: string, asker: Holder): (typeof REPORTS)[number] {
  const report = REPORTS.find((known) => known.path === path)
  if (report === undefined) throw invalidField('report', 'choice_unknown')
  if (!isAllowed(report.access, asker)) throw new AppError('forbidden')
  return report
}

export const mayAsk = (path: string, asker: Holder): boolean => {
  const report = REPORTS.find((known) => known.path === path)
  return report !== undefined && isAllowed(report.access, asker)
}
