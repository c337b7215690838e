// Metric filters are conditions on shown values. They are applied in SQL and in code; both compare whole hundredths.
import type { MetricCondition, Metrics } from '@tributary/contract/reports/general'
import { splitKey } from '@tributary/contract/reports/traffic'
import { metricSql } from '../model/metric.ts'
import type { Params } from './params.ts'
import type { MetricFilter, ReportQuery } from './query.ts'

/** SQL condition over the names of `numberNamesSql`; null without filters. Throws if the query lacks a filter's metric. */
export function metricFiltersSql(
  { metricFilters, metrics }: Pick<ReportQuery, 'metricFilters' | 'metrics'>,
  params: Params,
): string | null {
  const conditions = metricFilters.flatMap(({ key, condition }) => {
    const { metric, isSecond } = splitKey(key)
    if (!metrics.includes(metric)) throw new Error(`${key} is not among the metrics of the query`)
    return comparisonsSql(metricSql(metric, isSecond ? '_2' : ''), condition, params)
  })
  return conditions.length === 0 ? null : conditions.join(' and ')
}

/** SQL comparisons of one condition on a number in hundredths. Null passes none of them. */
export const comparisonsSql = (value: string, condition: MetricCondition, params: Params): string[] =>
  comparisonsOf(condition).map(([operator, bound]) => `ifNull(${value} ${operator} ${params.bind('Int128', bound)}, 0)`)

/** Like `metricFiltersSql`, for shown metrics. */
export const passesMetricFilters = (metrics: Metrics, filters: readonly MetricFilter[]): boolean =>
  filters.every(({ key, condition }) => {
    const value = metrics[key] ?? null
    return comparisonsOf(condition).every(
      ([operator, bound]) => value !== null && COMPARE[operator](BigInt(Math.round(value * 100)), bound),
    )
  })

const COMPARE = {
  '>': (a: bigint, b: bigint) => a > b,
  '>=': (a: bigint, b: bigint) => a >= b,
  '<': (a: bigint, b: bigint) => a < b,
  '<=': (a: bigint, b: bigint) => a <= b,
}

type Comparison = readonly [keyof typeof COMPARE, bigint]

/** Converts a condition to comparisons of whole hundredths. */
function comparisonsOf(condition: MetricCondition): Comparison[] {
  const compare = (operator: Comparison[0], value: number | undefined): Comparison[] =>
    value === undefined ? [] : [[operator, boundOf(value, operator)]]
  return [
    ...compare('>', condition.gt),
    ...compare('>=', condition.gte),
    ...compare('<', condition.lt),
    ...compare('<=', condition.lte),
    ...compare('>=', condition.eq),
    ...compare('<=', condition.eq),
  ]
}

const FAR = 1e30
function boundOf(value: number, operator: Comparison[0]): bigint {
  const scaled = Math.min(FAR, Math.max(-FAR, value * 100))
  const nearest = Math.round(scaled)
  // 1.1 × 100 is not 110 in floating point, but 1.1 means 110 hundredths.
  if (Math.abs(scaled - nearest) < 1e-6) return BigInt(nearest)
  return BigInt(operator === '>' || operator === '<=' ? Math.floor(scaled) : Math.ceil(scaled))
}
