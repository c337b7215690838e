// One filter of the report: these values, all but these, or texts that contain something; and its form in the address, which is that of the wire.

import { type ReportFilterName, reportFilterOf } from '@tributary/contract/reports/choices'
import type { GeneralReportInput, MetricKey } from '@tributary/contract/reports/general'
import { isMetric } from '@tributary/contract/reports/traffic'

// The filters of a report on the screen, whatever else that report can be asked: what is in force, and how it is changed.
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

// Conditions on the numbers of first-level rows, as a list to edit and as an object on the wire.
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

export type NarrowingMode = 'in' | 'nin' | 'like'

export interface Narrowing {
  readonly mode: NarrowingMode
  /** Ids, texts, or the two ends of a period; never empty. */
  readonly values: readonly (number | string)[]
}

type Wire =
  | readonly (number | string)[]
  | { readonly nin: readonly (number | string)[] }
  | { readonly like: string }
  | string

/** Null when the value is no narrowing of that filter. */
export function readNarrowing(name: ReportFilterName, value: unknown): Narrowing | null {
  const { kind } = reportFilterOf(name)
  if (kind === 'period') {
    const ends = typeof value === 'string' ? value.split('|') : []
    return ends.length === 2 ? { mode: 'in', values: ends } : null
  }
  if (typeof value !== 'object' || value === null) return null
  if ('like' in value)
    return kind === 'texts' && typeof value.like === 'string' && value.like !== ''
      ? { mode: 'like', values: [value.like] }
      : null
  const mode = 'nin' in value ? 'nin' : 'in'
  const list: unknown = 'nin' in value ? value.nin : value
  if (!Array.isArray(list)) return null
  const values = kind === 'references' ? list.filter(isId) : list.map(String)
  return values.length > 0 ? { mode, values } : null
}

export function writeNarrowing(name: ReportFilterName, { mode, values }: Narrowing): Wire {
  if (reportFilterOf(name).kind === 'period') return values.join('|')
  if (mode === 'like') return { like: String(values[0] ?? '') }
  return mode === 'nin' ? { nin: values } : values
}

const isId = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
