// Filters and metric filters of a report. The address and the wire share one format.

import { isDay, type Period } from '@tributary/contract/period'
import { REPORT_FILTER_NAMES, type ReportFilterName, reportFilterOf } from '@tributary/contract/reports/choices'
import type { GeneralReportInput, MetricKey } from '@tributary/contract/reports/general'
import { isMetric } from '@tributary/contract/reports/traffic'

export type Filters = { readonly [F in ReportFilterName]?: Narrowing }

export interface FilterState {
  readonly filters: Filters
  /** The report's period, the initial value of filters that are periods. */
  readonly from: string
  readonly to: string
  /** Absent: the report has no metric filters. */
  readonly conditions?: readonly Condition[]
  readonly second?: string
}

export interface FilterControl {
  readonly state: FilterState
  readonly change: (edit: { filters?: Filters; conditions?: readonly Condition[] }, how?: ChangeHow) => void
}

export interface ChangeHow {
  /** The browser's way back does not lead to the address before. */
  readonly replace?: boolean
}

export const withoutFilter = (filters: Filters, name: ReportFilterName): Filters =>
  keepFilters(filters, (other) => other !== name)

export const COMPARISONS = ['gt', 'gte', 'eq', 'lte', 'lt'] as const
export type Comparison = (typeof COMPARISONS)[number]

export const COMPARISON_SIGNS: Readonly<Record<Comparison, string>> = { gt: '>', gte: '≥', eq: '=', lte: '≤', lt: '<' }

/** A metric filter of first-level rows: an entry of a list in the state, of an object on the wire. */
export interface Condition {
  readonly metric: MetricKey
  readonly comparison: Comparison
  readonly value: number
}

export const isMetricKey = (key: string): key is MetricKey => isMetric(key.replace(/_2$/, ''))

/** Omits invalid conditions. */
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

/** The later of two conditions with the same metric and comparison wins. */
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

/** Null for a value that the filter does not accept. */
function readNarrowing(name: ReportFilterName, value: unknown): Narrowing | null {
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

function writeNarrowing(name: ReportFilterName, { mode, values }: Narrowing): Wire {
  if (reportFilterOf(name).kind === 'period') return values.join('|')
  if (mode === 'like') return { like: String(values[0] ?? '') }
  return mode === 'nin' ? { nin: values } : values
}

const isId = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const mapFilters = <T>(map: (name: ReportFilterName) => T | null | undefined): Record<string, T> =>
  Object.fromEntries(
    REPORT_FILTER_NAMES.flatMap((name) => {
      const value = map(name)
      return value === null || value === undefined ? [] : [[name, value]]
    }),
  )

/** Reads filters of an address and drops invalid ones. */
export const readFilters = (search: Readonly<Record<string, unknown>>): Filters =>
  mapFilters((name) => readNarrowing(name, search[name]))

/** Writes filters in the format of the address and the wire. */
export const writeFilters = (filters: Filters): Readonly<Record<string, Wire>> =>
  mapFilters((name) => filters[name] && writeNarrowing(name, filters[name]))

export const keepFilters = (filters: Filters, isKept: (name: ReportFilterName) => boolean): Filters =>
  mapFilters((name) => (isKept(name) ? filters[name] : null))

/** '-nd' sorts by nd, descending. */
export function readSort(value: unknown): { by: string; desc: boolean } | null {
  return typeof value === 'string' ? { by: value.replace(/^-/, ''), desc: value.startsWith('-') } : null
}
export const writeSort = ({ by, desc }: { by: string; desc: boolean }): string => `${desc ? '-' : ''}${by}`

export const readPage = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 1

/** Null shows all columns. */
export const readColumns = (value: unknown): string[] | null =>
  typeof value === 'string' && value !== '' ? [...new Set(value.split('.'))] : null

/** Null unless both are days and in order. */
export const readDays = ({ from, to }: Readonly<Record<string, unknown>>): Period | null =>
  typeof from === 'string' && typeof to === 'string' && isDay(from) && isDay(to) && from <= to ? { from, to } : null
