// Every report of the product. The server mounts what stands here and nothing else.
import type { Report } from '../call.ts'
import { budgetReport } from './budget.ts'
import { generalReportChanges } from './changes.ts'
import { cohortReports } from './cohort.ts'
import { exportCall } from './export.ts'
import { generalReports } from './general.ts'
import { kindReports } from './kinds.ts'
import { SAVED_CALLS } from './saved.ts'

const addTools = (report: Report): Report => ({
  ...report,
  calls: [
    ...report.calls,
    exportCall(report),
    ...(report.path === 'general_report' ? [generalReportChanges, ...SAVED_CALLS] : []),
  ],
})

/** Reports that a filter of facts narrows. */
export const TRAFFIC_REPORTS: readonly Report[] = [...generalReports, ...cohortReports, ...kindReports].map(addTools)

export const REPORTS: readonly Report[] = [...TRAFFIC_REPORTS, addTools(budgetReport)]
