// The number of a report whose records a drill-down shows.
import { readFormulaKey } from '@tributary/contract/reports/column-name'
import { type FormulaUnit, metricsIn, parseFormula } from '@tributary/contract/reports/formula'
import type { MetricKey } from '@tributary/contract/reports/general'
import type { ReportFormula } from '@tributary/contract/reports/saved'
import { isMetric, type MetricName, metricOf } from '@tributary/contract/reports/traffic'
import { isMetricKey } from '../filter/filter-state.ts'

export interface DrillTarget {
  /** The path of the report; its rows are asked below it. */
  readonly report: string
  /** What the rows are asked with, beside the cell. */
  readonly request: object
  /** Where the number stands, as that report names it. */
  readonly place: object
  /** Of a formula: its first metric. */
  readonly metric: MetricKey
  readonly own?: OwnNumber
  /** Titles from the first level down; none for the total. */
  readonly titles: readonly string[]
  /** As the table showed it. */
  readonly shown: number
}

/** A formula and its metrics, each with records behind it. */
export interface OwnNumber {
  readonly title: string
  readonly expression: string
  readonly unit: FormulaUnit
  readonly parts: readonly MetricName[]
}

/** A ratio opens as what it is made of, the numerator first; any other number as itself. */
export function partsOf(metric: MetricName): MetricName[] {
  const { madeOf, over } = metricOf(metric)
  return over === undefined || madeOf === undefined ? [metric] : madeOf.filter(isMetric)
}

/** What a number of a row opens; null when there is nothing behind it, or no number. */
export function openingOf(
  key: string,
  numbers: Readonly<Record<string, unknown>>,
  formulas: readonly ReportFormula[],
): Pick<DrillTarget, 'metric' | 'own' | 'shown'> | null {
  const shown = numbers[key]
  if (typeof shown !== 'number') return null
  if (isMetricKey(key)) return { metric: key, shown }
  const read = readFormulaKey(key)
  const formula = formulas.find(({ id }) => id === read?.id)
  const node = formula && parseFormula(formula.expression).node
  const parts = node ? [...new Set(metricsIn(node).flatMap(partsOf))] : []
  const [first] = parts
  if (read === null || formula === undefined || first === undefined) return null
  const { title, expression, unit } = formula
  return { metric: read.isSecond ? `${first}_2` : first, own: { title, expression, unit, parts }, shown }
}
