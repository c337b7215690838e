// From summed parts to the numbers that are shown: ratios, rounding half-up once, null for a division by zero. Pure and exact.
import { divideHalfUp } from '@tributary/contract/money'
import type { FormulaKey } from '@tributary/contract/reports/column-name'
import { evaluateFormula, type NumbersOf } from '@tributary/contract/reports/formula'
import type { MetricKey, Metrics } from '@tributary/contract/reports/general'
import { ARROW_METRICS, type MetricName, metricOf, type PartName, type Sum } from '@tributary/contract/reports/traffic'
import { partsOf, scaleOfSum } from '../model/metric.ts'
import type { OwnColumn } from './query.ts'

/** Whole numbers: counts, and money in ten-thousandths. A bigint where the sum does not fit a double. */
export type Whole = number | bigint

/** A sum came over the wire as a double that cannot hold it: it must be read again as text. */
export class InexactNumber extends Error {}

interface Formula {
  readonly key: MetricKey
  readonly plus: readonly number[]
  readonly minus: readonly number[]
  readonly over: readonly number[] | null
  readonly times: number
  readonly divisorTimes: number
}

/** `among`: sums are divided by so many before they are rounded, which makes a row of average size; ratios stay what they are. 1 if absent. */
export type Derive = (numbers: readonly Whole[], among?: number) => Metrics

/** Prepares the formulas for rows whose numbers stand in the order of `names` (parts, those of the second period with '_2'). */
export function prepareDerive(
  metrics: readonly MetricName[],
  names: readonly string[],
  own: readonly OwnColumn[] = [],
): Derive {
  const hasSecond = names.some((name) => name.endsWith('_2'))
  const suffixes = hasSecond ? (['', '_2'] as const) : ([''] as const)
  const formulas = metrics.flatMap((metric) => suffixes.map((suffix) => prepareFormula(metric, suffix, names)))
  const arrows = hasSecond ? ARROW_METRICS.filter((metric) => metrics.includes(metric)) : []
  const unrounded = own.length === 0 ? [] : suffixes.map((suffix) => ({ suffix, of: prepareUnrounded(names, suffix) }))
  return (numbers, among = 1) => {
    const result: Metrics = {}
    for (const formula of formulas) result[formula.key] = compute(formula, numbers, among)
    for (const { suffix, of } of unrounded) {
      const numbersOf = of(numbers)
      for (const { id, unit, node } of own) {
        const key: FormulaKey = `formula:${id}${suffix}`
        result[key] = evaluateFormula(node, unit, numbersOf)
      }
    }
    for (const metric of arrows) result[`${metric}_arrow`] = arrowOf(result[metric], result[`${metric}_2`])
    return result
  }
}

function prepareFormula(metric: MetricName, suffix: '' | '_2', names: readonly string[]): Formula {
  const { sum, over, times = 1 } = metricOf(metric)
  const placesOf = (parts: readonly string[]) => parts.map((part) => placeOf(`${part}${suffix}`, names))
  const scale = scaleOfSum(sum)
  const divisorScale = over === undefined ? 0 : scaleOfSum(over)
  return {
    key: `${metric}${suffix}`,
    plus: placesOf(sum.plus),
    minus: placesOf(sum.minus ?? []),
    over: over === undefined ? null : placesOf(membersOf(over)),
    times: 100 * times * 10 ** Math.max(0, divisorScale - scale),
    divisorTimes: 10 ** Math.max(0, scale - divisorScale),
  }
}

function membersOf({ plus, minus = [] }: Sum): readonly string[] {
  if (minus.length > 0) throw new Error('a divisor is a plain sum')
  return plus
}

function placeOf(name: string, names: readonly string[]): number {
  const place = names.indexOf(name)
  if (place === -1) throw new Error(`the statement does not give ${name}`)
  return place
}

/** Doubles as long as every step is a safe integer, which nearly all are; bigint beyond. */
function compute(formula: Formula, numbers: readonly Whole[], among: number): number | null {
  const top = addDoubles(formula.plus, formula.minus, numbers)
  const bottom = formula.over === null ? among : addDoubles(formula.over, NONE, numbers)
  const numerator = 2 * Math.abs(top) * formula.times
  const denominator = 2 * Math.abs(bottom) * formula.divisorTimes
  if (denominator === 0) return null
  // False also for what is not a number: a sum that doubles cannot hold.
  if (!(numerator + denominator < Number.MAX_SAFE_INTEGER)) return computeWhole(formula, numbers, among)
  const hundredths = Math.floor((numerator + denominator / 2) / denominator)
  return (top < 0 !== bottom < 0 && hundredths !== 0 ? -hundredths : hundredths) / 100
}

function addDoubles(plus: readonly number[], minus: readonly number[], numbers: readonly Whole[]): number {
  let total = 0
  for (const place of plus) total += doubleOf(numbers[place])
  for (const place of minus) total -= doubleOf(numbers[place])
  return total
}

const doubleOf = (value: Whole | undefined): number => (Number.isSafeInteger(value) ? (value as number) : Number.NaN)

function computeWhole(
  { plus, minus, over, times, divisorTimes }: Formula,
  numbers: readonly Whole[],
  among: number,
): number | null {
  const top = BigInt(add(plus, minus, numbers)) * BigInt(times)
  const bottom = BigInt(over === null ? among : add(over, NONE, numbers))
  const hundredths = divideHalfUp(top, bottom * BigInt(divisorTimes))
  return hundredths === null ? null : Number(hundredths) / 100
}

const NONE: readonly number[] = []

/** The numbers of rows before they are rounded; null where the statement does not give what one is made of. */
function prepareUnrounded(names: readonly string[], suffix: '' | '_2'): (numbers: readonly Whole[]) => NumbersOf {
  const places = new Map(names.map((name, place) => [name, place]))
  const placesOf = (parts: readonly PartName[] = []) => parts.map((part) => places.get(`${part}${suffix}`) ?? -1)
  const prepareSum = (sum: Sum): ((numbers: readonly Whole[]) => number) => {
    const [plus, minus, divisor] = [placesOf(sum.plus), placesOf(sum.minus), 10 ** scaleOfSum(sum)]
    return (numbers) => Number(add(plus, NONE, numbers)) / divisor - Number(add(minus, NONE, numbers)) / divisor
  }
  const prepareMetric = (name: MetricName): ((numbers: readonly Whole[]) => number | null) => {
    if (!partsOf(name).every((part) => places.has(`${part}${suffix}`))) return () => null
    const { sum, over, times = 1 } = metricOf(name)
    const top = prepareSum(sum)
    if (over === undefined) return top
    const bottom = prepareSum(over)
    return (numbers) => {
      const divisor = bottom(numbers)
      return divisor === 0 ? null : (top(numbers) / divisor) * times
    }
  }
  const prepared = new Map<MetricName, ReturnType<typeof prepareMetric>>()
  return (numbers) => (name) => {
    const known = prepared.get(name) ?? prepareMetric(name)
    prepared.set(name, known)
    return known(numbers)
  }
}

function add(plus: readonly number[], minus: readonly number[], numbers: readonly Whole[]): Whole {
  let total: Whole = 0
  for (const place of plus) total = addWhole(total, numbers[place] ?? 0)
  for (const place of minus) total = addWhole(total, numbers[place] ?? 0, -1)
  return total
}

function addWhole(a: Whole, b: Whole, sign: 1 | -1 = 1): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    if (!Number.isSafeInteger(b)) throw new InexactNumber()
    const sum = a + sign * b
    if (Number.isSafeInteger(sum)) return sum
  }
  return BigInt(a) + BigInt(sign) * BigInt(b)
}

function arrowOf(now: number | null | undefined, before: number | null | undefined): 'up' | 'down' | null {
  if (now === null || now === undefined || before === null || before === undefined || now === before) return null
  return now > before ? 'up' : 'down'
}

/** Sums of the same numbers in several rows. */
export function addNumbers(rows: readonly (readonly Whole[])[]): Whole[] {
  const [first = []] = rows
  return first.map((_, place) => rows.reduce<Whole>((total, row) => addWhole(total, row[place] ?? 0), 0))
}
