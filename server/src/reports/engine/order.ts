// Compiles the order of rows and the page to SQL over the columns of `treeSql`. It compares metrics as shown, in rounded hundredths.
import { ALL } from '@tributary/contract/limits'
import { defaultSort } from '@tributary/contract/reports/choices'
import { readFormulaKey } from '@tributary/contract/reports/column-name'
import { type DimensionName, dimensionOf, isDateDimension } from '@tributary/contract/reports/traffic'
import { formulaSql, metricSql } from '../model/metric.ts'
import type { Params } from './params.ts'
import type { PageRequest, ReportQuery, Sort } from './query.ts'
import type { LevelRanks } from './titles.ts'

/** The sort of a level: the same sort at all levels, or the default of the level. */
export const sortForLevel = (sort: Sort | null, level: DimensionName | undefined): Sort =>
  sort ?? defaultSort(level ?? 'off')

/** SQL of a metric or formula; null if the query lacks it. */
function numberSql({ metrics, formulas }: ReportQuery, by: Exclude<Sort['by'], 'group'>): string | null {
  const suffix = by.endsWith('_2') ? '_2' : ''
  const formulaKey = readFormulaKey(by)
  if (formulaKey !== null) {
    const formula = formulas.find(({ id }) => id === formulaKey.id)
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
  /** The key derives from the group alone, so that all rows inside the group have it. */
  readonly isGroupKey: boolean
}

/** The order of the groups at a depth; 0 means first-level rows. */
export function sortSql(query: ReportQuery, depth: number, params: Params, ranks: LevelRanks): Order {
  const level = query.levels[depth]
  const { by, desc } = sortForLevel(query.sort, level)
  const direction = desc ? 'desc' : 'asc'
  if (by !== 'group') return { key: numberSql(query, by) ?? '0', direction, tie: 'asc', isGroupKey: false }
  const key = groupOrderSql(`g${depth + 1}`, level, ranks[depth] ?? null, params)
  return { key, direction, tie: direction, isGroupKey: true }
}

/** The order of flat rows: by a number and then by the groups, or by the groups alone. */
export function flatOrderSql(query: ReportQuery, ranks: LevelRanks, params: Params): string {
  const { sort } = query
  const direction = sort?.desc === true ? 'desc' : 'asc'
  const groupKeys = (direction: 'asc' | 'desc'): string[] =>
    query.levels.flatMap((level, index) => {
      const group = `g${index + 1}`
      const key = groupOrderSql(group, level, ranks[index] ?? null, params)
      return (key === group ? [group] : [key, group]).map((sql) => `${sql} ${direction}`)
    })
  if (sort === null || sort.by === 'group') return groupKeys(direction).join(', ')
  const number = numberSql(query, sort.by)
  if (number === null) throw new Error(`${sort.by} is not among the metrics of the query`)
  return [`${number} ${direction} nulls last`, ...groupKeys('asc')].join(', ')
}

/** SQL of a group's sort key: the rank of its title, its text, or its date. `ranks` is one entry of `LevelRanks`. */
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

/** The SQL that follows BETWEEN for the places of the page's rows. `above` counts rows that precede them on every page. */
export function pagePlacesSql({ page, limit }: PageRequest, params: Params, above: number): string {
  const ends = [(page - 1) * limit + 1 + above, page * limit + above]
  return ends.map((place) => params.bind('UInt64', place)).join(' and ')
}

/** LIMIT and OFFSET of the page; empty for all rows. */
export function limitSql({ page, limit }: PageRequest, params: Params): string {
  if (limit === ALL) return ''
  const [count, skipped] = [limit, (page - 1) * limit].map((number) => params.bind('UInt64', number))
  return `\nlimit ${count} offset ${skipped}`
}
