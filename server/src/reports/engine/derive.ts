// Stage 5 of a report run: derives the shown metrics from components, exactly and without side effects.
// A ratio divides the row's own sums and is rounded half-up once; a division by zero gives null.
import { divideHalfUp } from '@tributary/contract/money'
import type { FormulaKey } from '@tributary/contract/reports/column-name'
import { evaluateFormula } from '@tributary/contract/reports/formula'
import type { MetricKey, Metrics, PartlyReported, ReportTotal } from '@tributary/contract/reports/general'
import {
  ARROW_METRICS,
  type ComponentName,
  type MetricName,
  metricOf,
  restsOnIncome,
  type Sum,
} from '@tributary/contract/reports/traffic'
import { componentsOf, scaleOfSum } from '../model/metric.ts'
import { addComponents, addExact, type ComponentKey, type Components, type ExactNumber } from './components.ts'
import { passesMetricFilters } from './metric-filters.ts'
import type { GroupId, ReportQuery } from './query.ts'
import type { SummedRow } from './read-rows.ts'
import type { SummedReport } from './roll-up.ts'
import type { SpendKey } from './unallocated-spend.ts'

/** A group with its metrics. */
export interface DerivedRow {
  readonly ids: readonly GroupId[]
  readonly m: Metrics
  readonly partial: PartlyReported
  readonly children: readonly DerivedRow[]
}

/** Unallocated spend with its metrics. */
export interface DerivedSpend {
  readonly key: SpendKey
  readonly m: Metrics
}

/** A report with metrics, still without titles. */
export interface DerivedReport extends Pick<SummedReport, 'levels' | 'items' | 'players' | 'isRateMissing'> {
  readonly rows: readonly DerivedRow[]
  readonly total: ReportTotal
  /** Only unallocated spend that passes the metric filters. */
  readonly unallocated: readonly DerivedSpend[]
}

/** Filters unallocated spend by the metric filters. A total of filtered rows gets it added; the total of all rows already contains it. */
export function deriveReport(summed: SummedReport, query: ReportQuery): DerivedReport {
  const { levels, items, players, isRateMissing } = summed
  const derive = prepareDerive(query)
  const deriveRow = ({ ids, components, children }: SummedRow): DerivedRow => ({
    ids,
    m: derive(components),
    partial: partlyReported(components),
    children: children.map(deriveRow),
  })
  const unallocated = summed.unallocated
    .map((spend) => ({ ...spend, m: derive(spend.components) }))
    .filter(({ m }) => passesMetricFilters(m, query.metricFilters))
  const total = summed.isTotalFiltered
    ? addComponents([summed.total, ...unallocated.map(({ components }) => components)])
    : summed.total
  const rows = summed.rows.map(deriveRow)
  return {
    rows,
    total: { ...derive(total), ...partlyReported(total) },
    unallocated,
    levels,
    items,
    players,
    isRateMissing,
  }
}

type Suffix = '' | '_2'

const NOTHING_PARTIAL: PartlyReported = {}

/** Names the periods in which income of some days is not reported. */
export function partlyReported(components: Components): PartlyReported {
  const partial = (['', '_2'] as const).filter((suffix) => Number(components[`unreported_facts${suffix}`] ?? 0) > 0)
  return partial.length === 0 ? NOTHING_PARTIAL : { partial: partial.map((suffix) => `income${suffix}` as const) }
}

/** True if income of no day of the row is reported. */
const isIncomeUnknown = (components: Components, suffix: Suffix): boolean =>
  Number(components[`unreported_facts${suffix}`] ?? 0) > 0 && Number(components[`reported_facts${suffix}`] ?? 0) === 0

/** A metric with the keys of its components looked up once. */
interface PreparedMetric {
  readonly key: MetricKey
  readonly suffix: Suffix
  readonly restsOnIncome: boolean
  readonly plus: readonly ComponentKey[]
  readonly minus: readonly ComponentKey[]
  readonly over: readonly ComponentKey[] | null
  /** Decimal digits of the sum and of the divisor. */
  readonly scale: 0 | 4
  readonly divisorScale: 0 | 4
  readonly ratioTimes: 1 | 100
  /** Factors that bring the sum to hundredths and both sides to one scale. */
  readonly times: number
  readonly divisorTimes: number
}

/** `averagedOver` (1 if absent) divides sums before rounding, which gives the average of so many rows; ratios do not change. */
export type Derive = (components: Components, averagedOver?: number) => Metrics

/** Prepares the metrics and formulas of a query. A formula over metrics that the query lacks is null. */
export function prepareDerive({
  metrics,
  formulas = [],
  second = null,
}: Pick<ReportQuery, 'metrics'> & Partial<Pick<ReportQuery, 'formulas' | 'second'>>): Derive {
  const suffixes: readonly Suffix[] = second === null ? [''] : ['', '_2']
  const prepared = metrics.flatMap((metric) => suffixes.map((suffix) => prepareMetric(metric, suffix)))
  const arrows = second === null ? [] : ARROW_METRICS.filter((metric) => metrics.includes(metric))
  const unrounded = formulas.length === 0 ? [] : suffixes.map((suffix) => prepareUnrounded(metrics, suffix))
  return (components, averagedOver = 1) => {
    const result: Metrics = {}
    for (const metric of prepared) result[metric.key] = compute(metric, components, averagedOver)
    for (const { suffix, unroundedOf } of unrounded)
      for (const { id, unit, node } of formulas) {
        const key: FormulaKey = `formula:${id}${suffix}`
        result[key] = evaluateFormula(node, unit, (name) => unroundedOf(name, components))
      }
    for (const metric of arrows) result[`${metric}_arrow`] = arrowBetween(result[metric], result[`${metric}_2`])
    return result
  }
}

function prepareMetric(metric: MetricName, suffix: Suffix): PreparedMetric {
  const { sum, over, times = 1 } = metricOf(metric)
  const scale = scaleOfSum(sum)
  const divisorScale = over === undefined ? 0 : scaleOfSum(over)
  return {
    key: `${metric}${suffix}`,
    suffix,
    restsOnIncome: restsOnIncome(metric),
    plus: componentKeys(sum.plus, suffix),
    minus: componentKeys(sum.minus ?? [], suffix),
    over: over === undefined ? null : componentKeys(divisorMembers(over), suffix),
    scale,
    divisorScale,
    ratioTimes: times,
    times: 100 * times * 10 ** Math.max(0, divisorScale - scale),
    divisorTimes: 10 ** Math.max(0, scale - divisorScale),
  }
}

const componentKeys = (components: readonly ComponentName[], suffix: Suffix): ComponentKey[] =>
  components.map((component): ComponentKey => `${component}${suffix}`)

function divisorMembers({ plus, minus = [] }: Sum): readonly ComponentName[] {
  if (minus.length > 0) throw new Error('a divisor is a plain sum')
  return plus
}

const NO_KEYS: readonly ComponentKey[] = []

/** Computes in doubles while every step is a safe integer, which is nearly always the case, otherwise in bigints. */
function compute(metric: PreparedMetric, components: Components, averagedOver: number): number | null {
  if (metric.restsOnIncome && isIncomeUnknown(components, metric.suffix)) return null
  const top = addDoubles(metric.plus, metric.minus, components)
  const bottom = metric.over === null ? averagedOver : addDoubles(metric.over, NO_KEYS, components)
  const numerator = 2 * Math.abs(top) * metric.times
  const denominator = 2 * Math.abs(bottom) * metric.divisorTimes
  if (denominator === 0) return null
  // A component that is a bigint makes the sum NaN, for which the comparison is false.
  if (!(numerator + denominator < Number.MAX_SAFE_INTEGER)) return computeWhole(metric, components, averagedOver)
  const hundredths = Math.floor((numerator + denominator / 2) / denominator)
  return (top < 0 !== bottom < 0 && hundredths !== 0 ? -hundredths : hundredths) / 100
}

function addDoubles(plus: readonly ComponentKey[], minus: readonly ComponentKey[], components: Components): number {
  let total = 0
  for (const key of plus) total += toDouble(components[key])
  for (const key of minus) total -= toDouble(components[key])
  return total
}

const toDouble = (value: ExactNumber = 0): number => (typeof value === 'number' ? value : Number.NaN)

function computeWhole(
  { plus, minus, over, times, divisorTimes }: PreparedMetric,
  components: Components,
  averagedOver: number,
): number | null {
  const top = BigInt(add(plus, minus, components)) * BigInt(times)
  const bottom = BigInt(over === null ? averagedOver : add(over, NO_KEYS, components))
  const hundredths = divideHalfUp(top, bottom * BigInt(divisorTimes))
  return hundredths === null ? null : Number(hundredths) / 100
}

function add(plus: readonly ComponentKey[], minus: readonly ComponentKey[], components: Components): ExactNumber {
  let total: ExactNumber = 0
  for (const key of plus) total = addExact(total, components[key] ?? 0)
  for (const key of minus) total = addExact(total, components[key] ?? 0, -1)
  return total
}

/** Unrounded metrics for formulas; null if the query lacks a component of the metric, and for a division by zero. */
function prepareUnrounded(metrics: readonly MetricName[], suffix: Suffix) {
  const available = new Set(metrics.flatMap(componentsOf))
  const prepared = new Map<MetricName, PreparedMetric | null>()
  function metricAt(name: MetricName): PreparedMetric | null {
    const isAvailable = componentsOf(name).every((component) => available.has(component))
    const metric = prepared.get(name) ?? (isAvailable ? prepareMetric(name, suffix) : null)
    prepared.set(name, metric)
    return metric
  }
  function unroundedOf(name: MetricName, components: Components): number | null {
    const metric = metricAt(name)
    if (metric === null || (metric.restsOnIncome && isIncomeUnknown(components, suffix))) return null
    const { plus, minus, over, scale, divisorScale, ratioTimes } = metric
    const sum =
      Number(add(plus, NO_KEYS, components)) / 10 ** scale - Number(add(minus, NO_KEYS, components)) / 10 ** scale
    if (over === null) return sum
    const divisor = Number(add(over, NO_KEYS, components)) / 10 ** divisorScale
    return divisor === 0 ? null : (sum / divisor) * ratioTimes
  }
  return { suffix, unroundedOf }
}

function arrowBetween(now: number | null | undefined, before: number | null | undefined): 'up' | 'down' | null {
  if (now === null || now === undefined || before === null || before === undefined || now === before) return null
  return now > before ? 'up' : 'down'
}
