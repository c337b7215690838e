// A parsed report query: complete, checked and limited to what the viewer may see. All later stages read only this query.

import type { RoleKind } from '@tributary/contract/access'
import type { Language } from '@tributary/contract/language'
import type { Period } from '@tributary/contract/period'
import type { Activity, Baseline } from '@tributary/contract/reports/choices'
import type { FormulaKey } from '@tributary/contract/reports/column-name'
import type { FormulaNode, FormulaUnit } from '@tributary/contract/reports/formula'
import type { MetricCondition, MetricKey } from '@tributary/contract/reports/general'
import type { DimensionName, MetricName, SourceName } from '@tributary/contract/reports/traffic'
import type { DeletedMonth } from '../../facts/clicks/deleted-clicks.ts'
import type { RowsBy } from '../model/component.ts'
import type { DimensionSql } from '../model/dimension.ts'

/** The person who runs the report. `partners` null means all partners. */
export interface Viewer {
  readonly role: RoleKind
  readonly partners: readonly number[] | null
  readonly language: Language
}

/** A condition on facts. */
export type Condition = { readonly on: DimensionSql } & (
  | { readonly operator: 'in' | 'nin'; readonly values: readonly (string | number)[] }
  | { readonly operator: 'like'; readonly text: string }
  | { readonly operator: 'between'; readonly from: string; readonly to: string }
)

/** For each source, the month sums that the report reads instead of facts. `month` is like '202606'. */
export type MonthSums = Readonly<Record<SourceName, readonly { readonly month: string; readonly run: number }[]>>

/** The last day for which each advertiser has reported income, in the same order. Advertisers that never did are absent. */
export interface ReportedIncome {
  readonly advertisers: readonly number[]
  readonly days: readonly string[]
}

/** Selects the facts to count and their grouping. */
export interface Selection {
  /** Outermost first. */
  readonly levels: readonly DimensionName[]
  readonly first: Period
  readonly second: Period | null
  readonly conditions: readonly Condition[]
  readonly activity: Activity
  readonly baseline: Baseline
  readonly partners: readonly number[] | null
  /** UTC, 'YYYY-MM-DD hh:mm:ss.mmm'; null means as known now. */
  readonly knownAt: string | null
  /** Facts of players count on the day and under the dimensions of the click that the player is attributed to. */
  readonly isByClick: boolean
  /** The facts that make a row appear. */
  readonly rowsBy: RowsBy
  readonly sums: MonthSums
  /** All months whose clicks are deleted. */
  readonly deletedClicks: readonly DeletedMonth[]
  readonly reportedIncome: ReportedIncome
  /** Codes and ids of all countries, in the same order. */
  readonly countries: { readonly codes: readonly string[]; readonly ids: readonly number[] }
}

/** The key and direction of first-level rows. */
export interface Sort {
  readonly by: MetricKey | 'group' | FormulaKey
  readonly desc: boolean
}

/** A metric that a user defined. */
export interface Formula {
  readonly id: number
  readonly title: string
  readonly unit: FormulaUnit
  readonly node: FormulaNode
  readonly version: number
}

/** A condition on the shown value of a metric. */
export interface MetricFilter {
  readonly key: MetricKey
  readonly condition: MetricCondition
}

/** `page` counts from 1. `limit` ALL (-1) means all rows. */
export interface PageRequest {
  readonly page: number
  readonly limit: number
}

/** A complete query: selection, page, metrics, sort and metric filters. */
export interface ReportQuery extends Selection, PageRequest {
  /** Metrics that the viewer's role may see, in the order of the columns. */
  readonly metrics: readonly MetricName[]
  readonly formulas: readonly Formula[]
  readonly metricFilters: readonly MetricFilter[]
  /** One row per innermost group instead of a tree. */
  readonly isFlat: boolean
  /** Null: dates ascending, other groups by clicks, flat rows by their groups. */
  readonly sort: Sort | null
}

/** The id of a group: the id of a row in PostgreSQL, a text, or a day. */
export type GroupId = number | string
