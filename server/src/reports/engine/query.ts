// A report query after parsing: complete, checked, and narrowed to what the viewer may see. Every later stage works from this alone.

import type { RoleKind } from '@tributary/contract/access'
import type { Language } from '@tributary/contract/language'
import type { Period } from '@tributary/contract/period'
import type { Activity, Baseline } from '@tributary/contract/reports/choices'
import type { FormulaKey } from '@tributary/contract/reports/column-name'
import type { FormulaNode, FormulaUnit } from '@tributary/contract/reports/formula'
import type { MetricCondition, MetricKey } from '@tributary/contract/reports/general'
import type { DimensionName, MetricName, SourceName } from '@tributary/contract/reports/traffic'
import type { RowsBy } from '../model/component.ts'
import type { DimensionSql } from '../model/dimension.ts'

/** Who runs the report. `partners` null = all partners. */
export interface Viewer {
  readonly role: RoleKind
  readonly partners: readonly number[] | null
  readonly language: Language
}

/** What must hold of a fact. */
export type Condition = { readonly on: DimensionSql } & (
  | { readonly operator: 'in' | 'nin'; readonly values: readonly (string | number)[] }
  | { readonly operator: 'like'; readonly text: string }
  | { readonly operator: 'between'; readonly from: string; readonly to: string }
)

/** Sums of whole months that are read instead of their facts; `month` as 202606. */
export type MonthSums = Readonly<Record<SourceName, readonly { readonly month: string; readonly run: number }[]>>

/** Which facts are counted: what, when, whose. */
export interface Selection {
  /** Outermost first. */
  readonly levels: readonly DimensionName[]
  readonly first: Period
  readonly second: Period | null
  readonly conditions: readonly Condition[]
  readonly activity: Activity
  readonly baseline: Baseline
  readonly partners: readonly number[] | null
  /** UTC, in ClickHouse's format; null = as known now. */
  readonly knownAt: string | null
  /** Facts of players count on the day, and under the dimensions, of the click that brought them. */
  readonly isByClick: boolean
  /** Which facts make a row. */
  readonly rowsBy: RowsBy
  readonly sums: MonthSums
  /** Codes and ids of all countries, in the same order. */
  readonly countries: { readonly codes: readonly string[]; readonly ids: readonly number[] }
}

export interface Sort {
  readonly by: MetricKey | 'group' | FormulaKey
  readonly desc: boolean
}

/** A user's own metric. */
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

/** `limit` ALL (-1) = every row. */
export interface PageRequest {
  readonly page: number
  readonly limit: number
}

export interface ReportQuery extends Selection, PageRequest {
  /** Those that the viewer's role may see, in the order of the columns. */
  readonly metrics: readonly MetricName[]
  readonly formulas: readonly Formula[]
  readonly metricFilters: readonly MetricFilter[]
  /** One row per innermost group instead of a tree. */
  readonly isFlat: boolean
  /** Null: dates forward, other groups by clicks; flat rows by their groups. */
  readonly sort: Sort | null
}

/** The id of a group: of a row of the record, a text, or a day. */
export type GroupId = number | string
