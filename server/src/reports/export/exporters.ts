// How each report becomes a file. The schema of the report has checked the request.

import { GENERAL_REPORT_NAMES, GENERAL_REPORTS } from '@tributary/contract/reports/choices'
import type { CohortRequest } from '@tributary/contract/reports/cohort'
import { COHORT_REPORT_NAMES } from '@tributary/contract/reports/cohort-choices'
import {
  type CostRequest,
  type DashboardRequest,
  NEW_DEPOSIT_NAMES,
  type NewDepositRequest,
  type NewStreamsRequest,
} from '@tributary/contract/reports/kinds'
import type { Sheet } from '../../lib/sheet.ts'
import type { ReportEngines } from '../engine/context.ts'
import { exportCosts } from '../kinds/costs.ts'
import { type ExportInput, exportGeneralReport } from './general-export.ts'
import { exportCohort, exportDashboard, exportNewDeposits, exportNewStreams } from './plain-exports.ts'

type Exporter = (input: ExportInput<unknown>, engines: ReportEngines) => Promise<Sheet>

/** By the report's path. */
export const EXPORTERS: Readonly<Record<string, Exporter>> = {
  ...Object.fromEntries(
    GENERAL_REPORT_NAMES.map((name): [string, Exporter] => [
      name,
      (input, engines) => exportGeneralReport(input as ExportInput, engines, GENERAL_REPORTS[name]),
    ]),
  ),
  ...Object.fromEntries(
    COHORT_REPORT_NAMES.map((name): [string, Exporter] => [
      name,
      (input, engines) => exportCohort(input as ExportInput<Omit<CohortRequest, 'pagination'>>, engines, name),
    ]),
  ),
  ...Object.fromEntries(
    NEW_DEPOSIT_NAMES.map((name): [string, Exporter] => [
      name,
      (input, engines) => exportNewDeposits(input as ExportInput<NewDepositRequest>, engines, name),
    ]),
  ),
  cost_report: (input, engines) => exportCosts(input as ExportInput<Omit<CostRequest, 'pagination'>>, engines),
  new_streams: (input, engines) => exportNewStreams(input as ExportInput<NewStreamsRequest>, engines),
  dashboard: (input, engines) => exportDashboard(input as ExportInput<DashboardRequest>, engines),
}
