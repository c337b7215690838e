// Stage 5: from components to the metrics that are shown. Ratios of each row's own sums, rounded half-up once, null for a division by zero. Pure and exact.
import { divideHalfUp } from '@tributary/contract/money'
import type { FormulaKey } from '@tributary/contract/reports/column-name'
import { evaluateFormula } from '@tributary/contract/reports/formula'
import type { MetricKey, Metrics } from '@tributary/contract/reports/general'
import {
  ARROW_METRICS,
  type ComponentName,
  type MetricName,
  metricOf,
  type Sum,
} from '@tributary/contract/reports/traffic'
import { componentsOf, scaleOfSum } from '../model/metric.ts'
import { addComponents, addWhole, type ComponentKey, type Components, type Whole } from './components.ts'
import { passesMetricFilters } from './metric-filters.ts'
import type { GroupId, ReportQuery } from './query.ts'
import type { SummedRow } from './read-rows.ts'
import type { SummedReport } from './roll-up.ts'
import type { SpendKey } from './unallocated-spend.ts'

export interface DerivedRow {
  readonly ids: readonly GroupId[]
  readonly m: Metrics
  readonly children: readonly DerivedRow[]
}

export interface DerivedSpend {
  readonly key: SpendKey
  readonly m: Metrics
}

export interface DerivedReport extends Pick<SummedReport, 'levels' | 'items' | 'players' | 'isRateMissing'> {
  readonly rows: readonly DerivedRow[]
  readonly total: Metrics
  /** What passes the metric filters. */
  readonly unallocated: readonly DerivedSpend[]
}

/** Unallocated spend is filtered here, and added to a total of filtered rows; the total of all rows has it already. */
export function deriveReport(summed: SummedReport, query: ReportQuery): DerivedReport {
  const { levels, items, players, isRateMissing } = summed
  const derive = prepareDerive(query)
  const deriveRow = ({ ids, components, children }: SummedRow): DerivedRow => ({
    ids,
    m: derive(components),
    children: children.map(deriveRow),
  })
  const unallocated = summed.unallocated
    .map((spend) => ({ ...spend, m: derive(spend.components) }))
    .filter(({ m }) => passesMetricFilters(m, query.metricFilters))
  const total = summed.isTotalFiltered
    ? addComponents([summed.total, ...unallocated.map(({ components }) => components)])
    : summed.total
  const rows = summed.rows.map(deriveRow)
  return { rows, total: derive(total), unallocated, levels, items, players, isRateMissing }
}

type Suffix = '' | '_2'

/** A metric with the keys of its components looked up once. */
interface PreparedMetric {
  readonly key: MetricKey
  readonly plus: readonly ComponentKey[]
  readonly minus: readonly ComponentKey[]
  readonly over: readonly ComponentKey[] | null
  /** Digits after the point in the sum, and in what it is divided by. */
  readonly scale: 0 | 4
  readonly divisorScale: 0 | 4
  readonly ratioTimes: 1 | 100
  /** To hundredths, both sides at one scale. */
  readonly times: number
  readonly divisorTimes: number
}

/** `among`: sums are divided by so many before they are rounded, which gives a row of average size; ratios stay. 1 if absent. */
export type Derive = (components: Components, among?: number) => Metrics

/** A formula over metrics that the query does not have is null. */
export function prepareDerive({
  metrics,
  formulas = [],
  second = null,
}: Pick<ReportQuery, 'metrics'> & Partial<Pick<ReportQuery, 'formulas' | 'second'>>): Derive {
  const suffixes: readonly Suffix[] = second === null ? [''] : ['', '_2']
  const prepared = metrics.flatMap((metric) => suffixes.map((suffix) => prepareMetric(metric, suffix)))
  const arrows = second === null ? [] : ARROW_METRICS.filter((metric) => metrics.includes(metric))
  const unrounded = formulas.length === 0 ? [] : suffixes.map((suffix) => prepareUnrounded(metrics, suffix))
  return (components, among = 1) => {
    const result: Metrics = {}
    for (const metric of prepared) result[metric.key] = compute(metric, components, among)
    for (const { suffix, unroundedOf } of unrounded)
      for (const { id, unit, node } of formulas) {
        const key: FormulaKey = `formula:${id}${suffix}`
        result[key] = evaluateFormula(node, unit, (name) => unroundedOf(name, components))
      }
    for (const metric of arrows) result[`${metric}_arrow`] = arrowOf(result[metric], result[`${metric}_2`])
    return result
  }
}

function prepareMetric(metric: MetricName, suffix: Suffix): PreparedMetric {
  const { sum, over, times = 1 } = metricOf(metric)
  const scale = scaleOfSum(sum)
  const divisorScale = over === undefined ? 0 : scaleOfSum(over)
  return {
    key: `${metric}${suffix}`,
    plus: keysOf(sum.plus, suffix),
    minus: keysOf(sum.minus ?? [], suffix),
    over: over === undefined ? null : keysOf(divisorOf(over), suffix),
    scale,
    divisorScale,
    ratioTimes: times,
    times: 100 * times * 10 ** Math.max(0, divisorScale - scale),
    divisorTimes: 10 ** Math.max(0, scale - divisorScale),
  }
}

const keysOf = (components: readonly ComponentName[], suffix: Suffix): ComponentKey[] =>
  components.map((component): ComponentKey => `${component}${suffix}`)

function divisorOf({ plus, minus = [] }: Sum): readonly ComponentName[] {
  if (minus.length > 0) throw new Error('a divisor is a plain sum')
  return plus
}

const NONE: readonly ComponentKey[] = []

/** In doubles as long as every step is a safe integer, which nearly all are; in bigints beyond. */
function compute(metric: PreparedMetric, components: Components, among: number): number | null {
  const top = addDoubles(metric.plus, metric.minus, components)
  const bottom = metric.over === null ? among : addDoubles(metric.over, NONE, components)
  const numerator = 2 * Math.abs(top) * metric.times
  const denominator = 2 * Math.abs(bottom) * metric.divisorTimes
  if (denominator === 0) return null
  // False also for NaN: a component that is a bigint.
  if (!(numerator + denominator < Number.MAX_SAFE_INTEGER)) return computeWhole(metric, components, among)
  const hundredths = Math.floor((numerator + denominator / 2) / denominator)
  return (top < 0 !== bottom < 0 && hundredths !== 0 ? -hundredths : hundredths) / 100
}

function addDoubles(plus: readonly ComponentKey[], minus: readonly ComponentKey[], components: Components): number {
  let total = 0
  for (const key of plus) total += doubleOf(components[key])
  for (const key of minus) total -= doubleOf(components[key])
  return total
}

const doubleOf = (value: Whole = 0): number => (typeof value === 'number' ? value : Number.NaN)

function computeWhole(
  { plus, minus, over, times, divisorTimes }: PreparedMetric,
  components: Components,
  among: number,
): number | null {
  const top = BigInt(add(plus, minus, components)) * BigInt(times)
  const bottom = BigInt(over === null ? among : add(over, NONE, components))
  const hundredths = divideHalfUp(top, bottom * BigInt(divisorTimes))
  return hundredths === null ? null : Number(hundredths) / 100
}

function add(plus: readonly ComponentKey[], minus: readonly ComponentKey[], components: Components): Whole {
  let total: Whole = 0
  for (const key of plus) total = addWhole(total, components[key] ?? 0)
  for (const key of minus) total = addWhole(total, components[key] ?? 0, -1)
  return total
}

/** What formulas are made of; null for a metric whose components the query does not have, and for a division by zero. */
function prepareUnrounded(metrics: readonly MetricName[], suffix: Suffix) {
  const known = new Set(metrics.flatMap(componentsOf))
  const prepared = new Map<MetricName, PreparedMetric | null>()
  function metricAt(name: MetricName): PreparedMetric | null {
    const isKnown = componentsOf(name).every((component) => known.has(component))
    const metric = prepared.get(name) ?? (isKnown ? prepareMetric(name, suffix) : null)
    prepared.set(name, metric)
    return metric
  }
  function unroundedOf(name: MetricName, components: Components): number | null {
    const metric = metricAt(name)
    if (metric === null) return null
    const { plus, minus, over, scale, divisorScale, ratioTimes } = metric
    const sum = Number(add(plus, NONE, components)) / 10 ** scale - Number(add(minus, NONE, components)) / 10 ** scale
    if (over === null) return sum
    const divisor = Number(add(over, NONE, components)) / 10 ** divisorScale
    return divisor === 0 ? null : (sum / divisor) * ratioTimes
  }
  return { suffix, unroundedOf }
}

function arrowOf(now: number | null | undefined, before: number | null | undefined): 'up' | 'down' | null {
  if (now === null || now === undefined || before === null || before === undefined || now === before) return null
  return now > before ? 'up' : 'down'
}
