// How rows are chosen, put in order and cut to the page, as SQL over the columns of the tree. Numbers are compared as shown: whole hundredths, rounded.

import { ALL } from '@tributary/contract/limits'
import { defaultSort } from '@tributary/contract/reports/choices'
import { readFormulaKey } from '@tributary/contract/reports/column-name'
import type { MetricCondition } from '@tributary/contract/reports/general'
import { type DimensionName, dimensionOf, isDateDimension, splitKey } from '@tributary/contract/reports/traffic'
import { formulaSql } from '../model/formula.ts'
import { metricSql } from '../model/metric.ts'
import type { Params } from './params.ts'
import type { Question, Sort } from './query.ts'

/** The order of the groups of a level; the same number is asked for at all of them. */
export const sortAt = (sort: Sort | null, level: DimensionName | undefined): Sort => sort ?? defaultSort(level ?? 'off')

/** Whether a first-level row meets the conditions on its numbers; null when there are none. */
export function limitsSql(question: Question, params: Params): string | null {
  const conditions = question.limits.flatMap(({ key, condition }) => {
    const { metric, isSecond } = splitKey(key)
    if (!question.metrics.includes(metric)) throw new Error(`${key} is not among the metrics of the question`)
    return meetSql(metricSql(metric, isSecond ? '_2' : ''), condition, params)
  })
  return conditions.length === 0 ? null : conditions.join(' and ')
}

/** What must hold of a number in hundredths to meet a condition; no number meets none. */
export const meetSql = (value: string, condition: MetricCondition, params: Params): string[] =>
  hundredthsOf(condition).map(([operator, bound]) => `ifNull(${value} ${operator} ${params.bind('Int128', bound)}, 0)`)

type Comparison = readonly ['>' | '>=' | '<' | '<=', bigint]

/** Conditions on shown numbers as conditions on whole hundredths. */
export function hundredthsOf(condition: MetricCondition): Comparison[] {
  const result: Comparison[] = []
  const add = (operator: Comparison[0], value: number | undefined, round: (value: number) => number) => {
    if (value !== undefined) result.push([operator, wholeHundredths(value, round)])
  }
  add('>', condition.gt, Math.floor)
  add('>=', condition.gte, Math.ceil)
  add('<', condition.lt, Math.ceil)
  add('<=', condition.lte, Math.floor)
  add('>=', condition.eq, Math.ceil)
  add('<=', condition.eq, Math.floor)
  return result
}

const FAR = 1e30
function wholeHundredths(value: number, round: (value: number) => number): bigint {
  const scaled = Math.min(FAR, Math.max(-FAR, value * 100))
  const nearest = Math.round(scaled)
  // 1.1 × 100 is not 110 in floating point, but whoever writes 1.1 means 110 hundredths.
  return BigInt(Math.abs(scaled - nearest) < 1e-6 ? nearest : round(scaled))
}

/** A number that rows are ordered by; null when the question does not have it. */
export function numberSql({ metrics, formulas }: Question, by: Exclude<Sort['by'], 'group'>): string | null {
  const suffix = by.endsWith('_2') ? '_2' : ''
  const own = readFormulaKey(by)
  if (own !== null) {
    const formula = formulas.find(({ id }) => id === own.id)
    return formula === undefined ? null : formulaSql(formula, suffix, metrics)
  }
  const metric = metrics.find((name) => `${name}${suffix}` === by)
  return metric === undefined ? null : metricSql(metric, suffix)
}

interface Order {
  readonly key: string
  readonly direction: 'asc' | 'desc'
  /** Direction of the group itself among equal keys. */
  readonly tie: 'asc' | 'desc'
  /** Every row inside of the group has the key too. */
  readonly isOfGroup: boolean
}

/** What first-level rows are ordered by; `ranks` are the ids of a referenced entity in the order of their titles. */
export function sortSql(question: Question, params: Params, ranks: readonly number[] | null): Order {
  return sortLevelSql(question, 0, params, ranks)
}

/** The same of the groups of any level. */
export function sortLevelSql(
  question: Question,
  depth: number,
  params: Params,
  ranks: readonly number[] | null,
): Order {
  const level = question.levels[depth]
  const { by, desc } = sortAt(question.sort, level)
  const direction = desc ? 'desc' : 'asc'
  if (by !== 'group') return { key: numberSql(question, by) ?? '0', direction, tie: 'asc', isOfGroup: false }
  return { key: groupOrderSql(`g${depth + 1}`, level, ranks, params), direction, tie: direction, isOfGroup: true }
}

/** What groups are put in order by: the alphabet of titles or of the groups themselves, or time. `ranks` as for `sortSql`. */
export function groupOrderSql(
  group: string,
  level: DimensionName | undefined,
  ranks: readonly number[] | null,
  params: Params,
): string {
  if (level === undefined || isDateDimension(level)) return group
  if (dimensionOf(level).value === 'text') return `lowerUTF8(toString(${group}))`
  if (ranks === null || ranks.length === 0) return group
  const places = ranks.map((_, index) => index + 1)
  const lists = `${params.bind('Array(UInt32)', ranks)}, ${params.bind('Array(UInt32)', places)}`
  return `transform(${group}, ${lists}, toUInt32(0))`
}

/** The places of the page's rows, as what stands after BETWEEN; `above`: rows that stand before them on every page. */
export function placesSql({ page, limit }: Pick<Question, 'page' | 'limit'>, params: Params, above: number): string {
  const ends = [(page - 1) * limit + 1 + above, page * limit + above]
  return ends.map((place) => params.bind('UInt64', place)).join(' and ')
}

/** The rows of the page, of statements that give nothing else. */
export function pageSql({ page, limit }: Pick<Question, 'page' | 'limit'>, params: Params): string {
  if (limit === ALL) return ''
  const [count, skipped] = [limit, (page - 1) * limit].map((number) => params.bind('UInt64', number))
  return `\nlimit ${count} offset ${skipped}`
}
