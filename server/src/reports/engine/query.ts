// A report's question after parsing: complete, checked, and narrowed to what the person may see. Everything below works from this alone.

import type { RoleKind } from '@tributary/contract/access'
import type { Language } from '@tributary/contract/language'
import type { Period } from '@tributary/contract/period'
import type { Activity, Baseline } from '@tributary/contract/reports/choices'
import type { FormulaKey } from '@tributary/contract/reports/column-name'
import type { FormulaNode, FormulaUnit } from '@tributary/contract/reports/formula'
import type { MetricCondition, MetricKey } from '@tributary/contract/reports/general'
import type { DimensionName, MetricName, SourceName } from '@tributary/contract/reports/traffic'
import type { DimensionSql } from '../model/dimension.ts'
import type { RowsBy } from '../model/part.ts'

/** Whose question it is. `partners` null = all partners. */
export interface Viewer {
  readonly role: RoleKind
  readonly partners: readonly number[] | null
  readonly language: Language
}

export type Condition = { readonly on: DimensionSql } & (
  | { readonly operator: 'in' | 'nin'; readonly values: readonly (string | number)[] }
  | { readonly operator: 'like'; readonly text: string }
  | { readonly operator: 'between'; readonly from: string; readonly to: string }
)

/** Sums of whole months that are read instead of their facts; `month` as 202606. */
export type MonthSums = Readonly<Record<SourceName, readonly { readonly month: string; readonly run: number }[]>>

/** Facts to be counted: what, when, whose. */
export interface Selection {
  readonly levels: readonly DimensionName[]
  readonly first: Period
  readonly second: Period | null
  readonly conditions: readonly Condition[]
  readonly activity: Activity
  readonly baseline: Baseline
  readonly partners: readonly number[] | null
  /** As ClickHouse reads it, UTC; null = as known now. */
  readonly knownAt: string | null
  /** What players did counts on the day, and under the dimensions, of the click that brought them. */
  readonly isByClick: boolean
  /** What makes a row. */
  readonly rowsBy: RowsBy
  readonly sums: MonthSums
  /** Codes and ids of all countries, in the same order. */
  readonly countries: { readonly codes: readonly string[]; readonly ids: readonly number[] }
}

export interface Sort {
  readonly by: MetricKey | 'group' | FormulaKey
  readonly desc: boolean
}

/** A column of one's own. */
export interface OwnColumn {
  readonly id: number
  readonly title: string
  readonly unit: FormulaUnit
  readonly node: FormulaNode
  readonly version: number
}

export interface Question extends Selection {
  /** What the person's role may see, in the order of the columns. */
  readonly metrics: readonly MetricName[]
  /** Worked out for every row from its unrounded sums. */
  readonly formulas: readonly OwnColumn[]
  readonly limits: readonly { readonly key: MetricKey; readonly condition: MetricCondition }[]
  /** One row for each innermost group instead of a tree. */
  readonly isFlat: boolean
  /** Null: dates forward, other groups by clicks; flat rows by their groups. */
  readonly sort: Sort | null
  readonly page: number
  /** -1 = all. */
  readonly limit: number
}
