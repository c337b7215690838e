// The filters of a report on the screen, whatever else that report can be asked: what is in force, and how it is changed.
import type { ReportFilterName } from '@tributary/contract/reports/choices'
import type { Condition } from './metric-condition.ts'
import type { Narrowing } from './narrowing.ts'

export type Filters = { readonly [F in ReportFilterName]?: Narrowing }

export interface FilterState {
  readonly filters: Filters
  /** The report's own period, offered where a filter is a period too. */
  readonly from: string
  readonly to: string
  /** Absent: the report takes no conditions on numbers. */
  readonly conditions?: readonly Condition[]
  readonly second?: string
}

export interface FilterControl {
  readonly state: FilterState
  readonly change: (edit: { filters?: Filters; conditions?: readonly Condition[] }) => void
}

export function withoutFilter(filters: Filters, name: ReportFilterName): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([key]) => key !== name))
}
