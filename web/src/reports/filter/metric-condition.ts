// Conditions on the numbers of first-level rows, as a list to edit and as an object on the wire.
import type { GeneralReportInput, MetricKey } from '@tributary/contract/reports/general'
import { isMetric } from '@tributary/contract/reports/traffic'

export const COMPARISONS = ['gt', 'gte', 'eq', 'lte', 'lt'] as const
export type Comparison = (typeof COMPARISONS)[number]

export const COMPARISON_SIGNS: Readonly<Record<Comparison, string>> = { gt: '>', gte: '≥', eq: '=', lte: '≤', lt: '<' }

export interface Condition {
  readonly metric: MetricKey
  readonly comparison: Comparison
  readonly value: number
}

export const isMetricKey = (key: string): key is MetricKey => isMetric(key.replace(/_2$/, ''))

/** What is not a condition is left out. */
export function readConditions(value: unknown): Condition[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([metric, limits]: [string, unknown]) => {
    if (!isMetricKey(metric) || typeof limits !== 'object' || limits === null) return []
    return COMPARISONS.flatMap((comparison) => {
      const limit = (limits as Readonly<Record<string, unknown>>)[comparison]
      return typeof limit === 'number' && Number.isFinite(limit) ? [{ metric, comparison, value: limit }] : []
    })
  })
}

/** Of two conditions with the same metric and comparison the later holds. */
export function writeConditions(conditions: readonly Condition[]): NonNullable<GeneralReportInput['cfFilter']> {
  const written: { [M in MetricKey]?: { [C in Comparison]?: number } } = {}
  for (const { metric, comparison, value } of conditions) written[metric] = { ...written[metric], [comparison]: value }
  return written
}
