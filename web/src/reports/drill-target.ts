// A number of the report that someone wants to look behind.
import type { GeneralReportInput, MetricKey, ReportCell } from '@tributary/contract/reports/general'

export interface DrillTarget {
  /** The path of the report; its rows are asked below it. */
  readonly report: string
  readonly request: Pick<GeneralReportInput, 'filter' | 'cfFilter'>
  readonly place: Pick<ReportCell, 'path' | 'nus'>
  readonly metric: MetricKey
  /** Titles from the first level down; none for the total. */
  readonly titles: readonly string[]
  /** As the table showed it. */
  readonly shown: number
}
