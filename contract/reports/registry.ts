// Every report of the product. The server mounts what stands here and nothing else.
import type { Report } from '../report.ts'
import { generalReportChanges } from './changes.ts'
import { generalReports } from './general.ts'

export const REPORTS: readonly Report[] = generalReports.map((report) =>
  report.name === 'general_report' ? { ...report, calls: [...report.calls, generalReportChanges] } : report,
)
