// A metric as an expression over parts, in hundredths and rounded as it is shown: what sorting and cfFilter compare. The same formula as in derive.ts.
import { type MetricName, metricOf, type PartName, type Sum } from '@tributary/contract/reports/traffic'
import { scaleOf } from './part.ts'

/** Parts that a metric needs. */
export function partsOf(metric: MetricName): PartName[] {
  const { sum, over } = metricOf(metric)
  return [...new Set([...membersOf(sum), ...(over === undefined ? [] : membersOf(over))])]
}

const membersOf = (sum: Sum): readonly PartName[] => [...sum.plus, ...(sum.minus ?? [])]

/** All members of a sum have one scale, which the formulas of the contract keep. */
export const scaleOfSum = (sum: Sum): 0 | 4 => (sum.plus[0] === undefined ? 0 : scaleOf(sum.plus[0]))

/** `suffix` is '' for the first period and '_2' for the second. Null when the divisor is zero. */
export function metricSql(metric: MetricName, suffix: '' | '_2'): string {
  const { sum, over, times = 1 } = metricOf(metric)
  const top = sumSql(sum, suffix)
  if (over === undefined) return scaleOfSum(sum) === 0 ? `${top} * 100` : roundedSql(top, 'toInt128(100)')
  const [up, down] = [scaleOfSum(sum), scaleOfSum(over)]
  const factor = 100 * times * 10 ** Math.max(0, down - up)
  const divisor = sumSql(over, suffix)
  return roundedSql(`${top} * ${factor}`, up > down ? `${divisor} * ${10 ** (up - down)}` : divisor)
}

/** Before it is rounded, as a double: what a column of one's own is made of. Null when the divisor is zero. */
export function unroundedSql(metric: MetricName, suffix: '' | '_2'): string {
  const { sum, over, times = 1 } = metricOf(metric)
  const top = doubleSql(sum, suffix)
  return over === undefined ? top : `(${top} / nullIf(${doubleSql(over, suffix)}, 0) * ${times})`
}

function doubleSql(sum: Sum, suffix: string): string {
  const of = (parts: readonly PartName[]) => `toFloat64(${sumSql({ plus: parts }, suffix)}) / ${10 ** scaleOfSum(sum)}`
  return sum.minus === undefined ? `(${of(sum.plus)})` : `(${of(sum.plus)} - ${of(sum.minus)})`
}

function sumSql(sum: Sum, suffix: string): string {
  const plus = sum.plus.map((part) => `toInt128(${part}${suffix})`).join(' + ')
  const minus = (sum.minus ?? []).map((part) => ` - toInt128(${part}${suffix})`).join('')
  return `(${plus}${minus})`
}

/** Half-up, away from zero. */
const roundedSql = (top: string, bottom: string): string =>
  `(sign(${top}) * sign(${bottom}) * intDiv(2 * abs(${top}) + abs(${bottom}), nullIf(2 * abs(${bottom}), 0)))`
