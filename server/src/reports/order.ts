// How first-level rows are chosen and ordered by their numbers, as SQL over the columns of the tree. Compared as shown: whole hundredths, rounded.

import { ALL } from '@tributary/contract/limits'
import { readFormulaKey } from '@tributary/contract/reports/column-name'
import type { MetricCondition } from '@tributary/contract/reports/general'
import { isDateDimension } from '@tributary/contract/reports/traffic'
import { formulaSql } from './model/formula.ts'
import { metricSql } from './model/metric.ts'
import type { Params } from './params.ts'
import type { Question, Sort } from './question.ts'

/** The order of a level whose groups are dates, or not. */
export function sortAt(sort: Sort | null, isDate: boolean): Sort {
  return sort ?? (isDate ? { by: 'group', desc: false } : { by: 'cc', desc: true })
}

/** Whether a first-level row meets the conditions on its numbers; null when there are none. */
export function limitsSql(question: Question, params: Params): string | null {
  const conditions = question.limits.flatMap(({ key, condition }) => {
    const suffix = key.endsWith('_2') ? '_2' : ''
    const metric = question.metrics.find((name) => `${name}${suffix}` === key)
    if (metric === undefined) throw new Error(`${key} is not among the metrics of the question`)
    const value = metricSql(metric, suffix)
    return hundredthsOf(condition).map(
      ([operator, bound]) => `ifNull(${value} ${operator} ${params.bind('Int128', bound)}, 0)`,
    )
  })
  return conditions.length === 0 ? null : conditions.join(' and ')
}

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
}

/** What first-level rows are ordered by; `ranks` are the ids of a referenced entity in the order of their titles. */
export function sortSql(question: Question, params: Params, ranks: readonly number[] | null): Order {
  const first = question.levels[0]
  const isDate = first !== undefined && isDateDimension(first)
  const { by, desc } = sortAt(question.sort, isDate)
  const direction = desc ? 'desc' : 'asc'
  const tie = by === 'group' ? direction : 'asc'
  if (by !== 'group') return { key: numberSql(question, by) ?? '0', direction, tie }
  if (isDate) return { key: 'g1', direction, tie }
  if (ranks === null) return { key: 'lowerUTF8(toString(g1))', direction, tie }
  const places = ranks.map((_, index) => index + 1)
  const lists = `${params.bind('Array(UInt32)', ranks)}, ${params.bind('Array(UInt32)', places)}`
  return { key: ranks.length === 0 ? 'g1' : `transform(g1, ${lists}, toUInt32(0))`, direction, tie }
}

/** The rows of the page, of statements that give nothing else. */
export function pageSql({ page, limit }: Pick<Question, 'page' | 'limit'>, params: Params): string {
  if (limit === ALL) return ''
  const [count, skipped] = [limit, (page - 1) * limit].map((number) => params.bind('UInt64', number))
  return `\nlimit ${count} offset ${skipped}`
}
