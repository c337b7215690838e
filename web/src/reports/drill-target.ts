// A number of the report that someone wants to look behind.
import type { MetricKey } from '@tributary/contract/reports/general'

export interface DrillTarget {
  /** The path of the report; its rows are asked below it. */
  readonly report: string
  /** What the rows are asked with, beside the cell. */
  readonly request: object
  /** Where the number stands, as that report names it. */
  readonly place: object
  readonly metric: MetricKey
  /** Titles from the first level down; none for the total. */
  readonly titles: readonly string[]
  /** As the table showed it. */
  readonly shown: number
}
