// Metrics and formulas as SQL over components, for order and metric filters. The arithmetic must equal that of engine/derive.ts, step by step.
import type { FormulaNode } from '@tributary/contract/reports/formula'
import {
  type ComponentName,
  type MetricName,
  metricOf,
  restsOnIncome,
  type Sum,
} from '@tributary/contract/reports/traffic'
import type { Formula } from '../engine/query.ts'
import { scaleOf } from './component.ts'

type Suffix = '' | '_2'

export const componentsOf = (metric: MetricName): ComponentName[] => {
  const { sum, over } = metricOf(metric)
  return [...new Set([...sumMembers(sum), ...(over === undefined ? [] : sumMembers(over))])]
}

const sumMembers = (sum: Sum): readonly ComponentName[] => [...sum.plus, ...(sum.minus ?? [])]

/** The decimal digits of a sum. All its members must have the same scale. */
export const scaleOfSum = (sum: Sum): 0 | 4 => (sum.plus[0] === undefined ? 0 : scaleOf(sum.plus[0]))

/** SQL that is null if the metric rests on income and none of the row's days is reported. */
const knownSql = (sql: string, metric: MetricName, suffix: Suffix): string =>
  restsOnIncome(metric) ? `if(unreported_facts${suffix} > 0 and reported_facts${suffix} = 0, null, ${sql})` : sql

/** SQL of the shown value in rounded hundredths. `suffix` '_2' means the second period. Null when the divisor is zero or income is unknown. */
export const metricSql = (metric: MetricName, suffix: Suffix): string =>
  knownSql(shownSql(metric, suffix), metric, suffix)

function shownSql(metric: MetricName, suffix: Suffix): string {
  const { sum, over, times = 1 } = metricOf(metric)
  const top = sumSql(sum, suffix)
  if (over === undefined) return scaleOfSum(sum) === 0 ? `${top} * 100` : roundedSql(top, 'toInt128(100)')
  const [up, down] = [scaleOfSum(sum), scaleOfSum(over)]
  const factor = 100 * times * 10 ** Math.max(0, down - up)
  const divisor = sumSql(over, suffix)
  return roundedSql(`${top} * ${factor}`, up > down ? `${divisor} * ${10 ** (up - down)}` : divisor)
}

function sumSql(sum: Sum, suffix: Suffix): string {
  const plus = sum.plus.map((component) => `toInt128(${component}${suffix})`).join(' + ')
  const minus = (sum.minus ?? []).map((component) => ` - toInt128(${component}${suffix})`).join('')
  return `(${plus}${minus})`
}

/** Divides and rounds half away from zero. */
const roundedSql = (top: string, bottom: string): string =>
  `(sign(${top}) * sign(${bottom}) * intDiv(2 * abs(${top}) + abs(${bottom}), nullIf(2 * abs(${bottom}), 0)))`

/** SQL of the shown, rounded value. A metric that is not in the statement (`metrics`) is null. */
export function formulaSql({ node, unit }: Formula, suffix: Suffix, metrics: readonly MetricName[]): string {
  const value = nodeSql(node, suffix, metrics)
  const scaled = `abs(${unit === 'percent' ? `${value} * 100` : value}) * 100`
  const rounded = `floor(${scaled} + 0.5 + greatest(1e-9, ${scaled} * 1e-14)) / 100`
  return `if(isFinite(${value}), sign(${value}) * ${rounded}, null)`
}

function nodeSql(node: FormulaNode, suffix: Suffix, metrics: readonly MetricName[]): string {
  switch (node.kind) {
    case 'number':
      // The parser of formulas accepts only digits and a point, so the text is safe.
      return `toFloat64(${Number.isFinite(node.value) ? node.value : 'inf'})`
    case 'metric':
      return metrics.includes(node.name) ? unroundedSql(node.name, suffix) : "cast(null, 'Nullable(Float64)')"
    case 'minus':
      return `(-${nodeSql(node.of, suffix, metrics)})`
    case 'binary': {
      const [left, right] = [nodeSql(node.left, suffix, metrics), nodeSql(node.right, suffix, metrics)]
      return node.operator === '/' ? `(${left} / nullIf(${right}, 0))` : `(${left} ${node.operator} ${right})`
    }
  }
}

/** SQL of the unrounded value as a double; null when the divisor is zero or income is unknown. */
function unroundedSql(metric: MetricName, suffix: Suffix): string {
  const { sum, over, times = 1 } = metricOf(metric)
  const top = doubleSql(sum, suffix)
  const value = over === undefined ? top : `(${top} / nullIf(${doubleSql(over, suffix)}, 0) * ${times})`
  return knownSql(value, metric, suffix)
}

function doubleSql(sum: Sum, suffix: Suffix): string {
  const of = (components: readonly ComponentName[]) =>
    `toFloat64(${sumSql({ plus: components }, suffix)}) / ${10 ** scaleOfSum(sum)}`
  return sum.minus === undefined ? `(${of(sum.plus)})` : `(${of(sum.plus)} - ${of(sum.minus)})`
}
