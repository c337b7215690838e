// Every report of the product. The server mounts what stands here and nothing else.

import type { Report } from '../report.ts'
import { generalReportChanges } from './changes.ts'
import { GENERAL_REPORT_NAMES } from './choices.ts'
import { cohortReports } from './cohort.ts'
import { exportCall } from './export.ts'
import { generalReports } from './general.ts'
import { SAVED_CALLS } from './saved.ts'

const addTools = (report: Report): Report => {
  const path = GENERAL_REPORT_NAMES.find((name) => name === report.path)
  const calls = [
    ...(path === undefined ? [] : [exportCall(path, report.access)]),
    ...(path === 'general_report' ? [generalReportChanges, ...SAVED_CALLS] : []),
  ]
  return { ...report, calls: [...report.calls, ...calls] }
}

export const REPORTS: readonly Report[] = [...generalReports.map(addTools), ...cohortReports]
