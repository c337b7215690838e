// Every report of the product. The server mounts what stands here and nothing else.
import type { Report } from '../report.ts'
import { generalReportChanges } from './changes.ts'
import { generalReport } from './general.ts'

export const REPORTS: readonly Report[] = [{ ...generalReport, calls: [...generalReport.calls, generalReportChanges] }]
