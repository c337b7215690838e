// Which reports can be had as a file, and how. A report that is missing here has no export and no mail.
import { GENERAL_REPORT_NAMES, GENERAL_REPORTS } from '@tributary/contract/reports/choices'
import type { Sheet } from '../../lib/sheet.ts'
import type { ReportEngines } from '../kinds/general.ts'
import { type ExportAsked, exportGeneralReport } from './general-export.ts'

type Exporter = (asked: ExportAsked, engines: ReportEngines) => Promise<Sheet>

/** By the report's path. */
export const EXPORTERS: Readonly<Record<string, Exporter>> = Object.fromEntries(
  GENERAL_REPORT_NAMES.map((name): [string, Exporter] => [
    name,
    (asked, engines) => exportGeneralReport(asked, engines, GENERAL_REPORTS[name]),
  ]),
)
