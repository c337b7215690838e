// How each report becomes a file. The request is that of the report's own schema, which has checked it.

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
import { exportCosts } from '../kinds/costs.ts'
import type { ReportEngines } from '../kinds/general.ts'
import { type ExportAsked, exportGeneralReport } from './general-export.ts'
import { exportCohort, exportDashboard, exportNewDeposits, exportNewStreams } from './plain-exports.ts'

/** What the report's own schema has let through. */
type Asked = ExportAsked<unknown>
type Exporter = (asked: Asked, engines: ReportEngines) => Promise<Sheet>

/** By the report's path. */
export const EXPORTERS: Readonly<Record<string, Exporter>> = {
  ...Object.fromEntries(
    GENERAL_REPORT_NAMES.map((name): [string, Exporter] => [
      name,
      (asked, engines) => exportGeneralReport(asked as ExportAsked, engines, GENERAL_REPORTS[name]),
    ]),
  ),
  ...Object.fromEntries(
    COHORT_REPORT_NAMES.map((name): [string, Exporter] => [
      name,
      (asked, engines) => exportCohort(asked as ExportAsked<Omit<CohortRequest, 'pagination'>>, engines, name),
    ]),
  ),
  ...Object.fromEntries(
    NEW_DEPOSIT_NAMES.map((name): [string, Exporter] => [
      name,
      (asked, engines) => exportNewDeposits(asked as ExportAsked<NewDepositRequest>, engines, name),
    ]),
  ),
  cost_report: (asked, engines) => exportCosts(asked as ExportAsked<Omit<CostRequest, 'pagination'>>, engines),
  new_streams: (asked, engines) => exportNewStreams(asked as ExportAsked<NewStreamsRequest>, engines),
  dashboard: (asked, engines) => exportDashboard(asked as ExportAsked<DashboardRequest>, engines),
}
