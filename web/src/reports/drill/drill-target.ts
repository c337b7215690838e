// The number whose records a drill-down shows.
import { readFormulaKey } from '@tributary/contract/reports/column-name'
import { type FormulaUnit, metricsIn, parseFormula } from '@tributary/contract/reports/formula'
import type { MetricKey } from '@tributary/contract/reports/general'
import type { ReportFormula } from '@tributary/contract/reports/saved'
import { isMetric, type MetricName, metricOf } from '@tributary/contract/reports/traffic'
import { isMetricKey } from '../filter/filter-state.ts'

export interface DrillTarget {
  /** The path of the report; its drill-down is a path below it. */
  readonly report: string
  /** The report's request, sent together with the cell. */
  readonly request: object
  /** The cell of the number, in the report's own terms. */
  readonly place: object
  /** For a formula: its first metric. */
  readonly metric: MetricKey
  readonly formula?: FormulaTarget
  /** Group titles from the first level down; empty for the total. */
  readonly titles: readonly string[]
  /** The value as the table shows it. */
  readonly shown: number
}

/** A formula and its metrics, each of which has records. */
export interface FormulaTarget {
  readonly title: string
  readonly expression: string
  readonly unit: FormulaUnit
  readonly metrics: readonly MetricName[]
}

/** The request for the records behind a metric of the target. */
export const drillBody = ({ request, place }: DrillTarget, metric: MetricKey, pagination: PageOfRows) => ({
  ...request,
  cell: { ...place, metric },
  pagination,
})

interface PageOfRows {
  readonly page: number
  readonly limit: number
}

/** Returns the metrics of a ratio or a difference, the first one first; any other metric itself. */
export const drillMetrics = (metric: MetricName): MetricName[] => metricOf(metric).madeOf?.filter(isMetric) ?? [metric]

/** The drill-down target of a number; null if there is no number or no records behind it. */
export function findDrillTarget(
  key: string,
  numbers: Readonly<Record<string, unknown>>,
  formulas: readonly ReportFormula[],
): Pick<DrillTarget, 'metric' | 'formula' | 'shown'> | null {
  const shown = numbers[key]
  if (typeof shown !== 'number') return null
  if (isMetricKey(key)) return { metric: key, shown }
  const read = readFormulaKey(key)
  const formula = formulas.find(({ id }) => id === read?.id)
  const node = formula && parseFormula(formula.expression).node
  const parts = node ? [...new Set(metricsIn(node).flatMap(drillMetrics))] : []
  const [first] = parts
  if (read === null || formula === undefined || first === undefined) return null
  const { title, expression, unit } = formula
  return { metric: read.isSecond ? `${first}_2` : first, formula: { title, expression, unit, metrics: parts }, shown }
}
