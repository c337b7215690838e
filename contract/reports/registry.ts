// Lists every report. The server mounts exactly these.
import type { Report } from '../call.ts'
import { budgetReport } from './budget.ts'
import { generalReportChanges } from './changes.ts'
import { cohortReports } from './cohort.ts'
import { exportCall } from './export.ts'
import { generalReports } from './general.ts'
import { kindReports } from './kinds.ts'
import { SAVED_CALLS } from './saved.ts'

const addCommonCalls = (report: Report): Report => ({
  ...report,
  calls: [
    ...report.calls,
    exportCall(report),
    ...(report.path === 'general_report' ? [generalReportChanges, ...SAVED_CALLS] : []),
  ],
})

/** Reports that accept a traffic filter. */
export const TRAFFIC_REPORTS: readonly Report[] = [...generalReports, ...cohortReports, ...kindReports].map(
  addCommonCalls,
)

export const REPORTS: readonly Report[] = [...TRAFFIC_REPORTS, addCommonCalls(budgetReport)]
