// Reads unallocated spend: entered spend that no group of the report can carry, by country, partner, stream and day.
import { ALL_CAP } from '@tributary/contract/limits'
import { dimensionOf } from '@tributary/contract/reports/traffic'
import { makesRows } from '../model/component.ts'
import { factsSql, groupColumns, groupTuple, levelNames } from './compile-groups.ts'
import { compileUnion } from './compile-source.ts'
import { type Components, toExactNumber } from './components.ts'
import { Params, type Statement, toStatement } from './params.ts'
import { type Plan, placelessColumns, placelessSpendSql } from './plan.ts'
import type { GroupId, Selection } from './query.ts'
import { suffixesOf } from './row-layout.ts'

const KEY_COLUMNS = ['country', 'partner', 'stream', 'day'] as const

/** What unallocated spend is listed by. */
export interface SpendKey {
  readonly country: number
  readonly partner: number
  readonly stream: number
  readonly day: string
}

/** Entered spend of one key that no row carries. */
export interface UnallocatedSpend {
  readonly key: SpendKey
  readonly components: Components
}

/** Paths of groups, outermost level first. */
type GroupPaths = readonly (readonly GroupId[])[]

/**
 * Rows [country, partner, stream, day, sum of each period in ten-thousandths…], newest day first. `groups`: the innermost groups whose spend
 * is all the unallocated spend; null if they are unknown. `isWhole` lifts the limit of ALL_CAP rows. Null when there can be none.
 */
export function compileUnallocatedSpend(
  selection: Selection,
  plan: Plan,
  { groups = null, isWhole = false }: { groups?: GroupPaths | null; isWhole?: boolean } = {},
): Statement | null {
  // A query that selects players does not count entered spend.
  if (selection.levels.length === 0 || !plan.sources.includes('spend')) return null
  const params = new Params()
  const spend = compileUnion(
    // Month sums have no days.
    { ...selection, sums: { ...selection.sums, spend: [] } },
    {
      ...plan,
      sources: ['spend'],
      columns: [...new Set([...plan.columns, ...KEY_COLUMNS, ...placelessColumns(selection, plan)])],
    },
    params,
  )
  if (spend === null) return null
  const sums = suffixesOf(selection).map((suffix) => {
    const flag = suffix === '' ? 'in1' : 'in2'
    return `${selection.second === null ? 'sum(facts.n_entered_spend)' : `sumIf(facts.n_entered_spend, ${flag})`} as spend${suffix}`
  })
  const place = groups === null ? isUnallocatedSql(selection, plan, params) : inGroupsSql(selection, groups, params)
  const keys = KEY_COLUMNS.map((column) => `c_${column}`)
  const sql = `select ${[...keys, ...sums].join(', ')}
from ${factsSql(spend, plan)}${place === null ? '' : `\nwhere ${place}`}
group by ${keys.join(', ')}
having ${suffixesOf(selection)
    .map((suffix) => `spend${suffix} != 0`)
    .join(' or ')}
order by c_day desc, c_country, c_partner, c_stream${isWhole ? '' : `\nlimit ${params.bind('UInt32', ALL_CAP)}`}`
  return toStatement(sql, params, selection)
}

/** SQL condition on a spend over the columns of `placelessColumns`: no group carries it. Null if that is true of all spend. */
export function isUnallocatedSql(selection: Selection, plan: Plan, params: Params): string | null {
  const groups = trafficGroupsSql(selection, plan, params)
  if (groups === null) return null
  const placeless = placelessSpendSql(selection, plan, (column) => `c_${column}`)
  const isWithoutTraffic = `${groupTuple(selection)} not in ${groups}`
  return placeless === null ? isWithoutTraffic : `((${placeless}) or ${isWithoutTraffic})`
}

/** A sub-select of the innermost groups with traffic, as tuples. These groups carry entered spend. Null when there can be none. */
function trafficGroupsSql(selection: Selection, plan: Plan, params: Params): string | null {
  if (!plan.isSpendPlaceable || selection.levels.length === 0) return null
  const sources = plan.sources.filter((source) => makesRows(source, selection.rowsBy))
  const traffic = compileUnion(selection, { ...plan, sources, components: [] }, params)
  if (traffic === null) return null
  const keys = levelNames(selection).join(', ')
  return `(
select tuple(${keys}) from (
select ${groupColumns(selection).join(', ')}, sum(facts.n_traffic) as all_traffic from ${factsSql(traffic, plan)}
group by ${keys} having all_traffic > 0
))`
}

const VALUE_TYPES = { reference: 'UInt32', text: 'String', day: 'Date', week: 'Date', month: 'Date' } as const

function inGroupsSql(selection: Selection, groups: GroupPaths, params: Params): string {
  const lists = selection.levels.map((level, depth) =>
    params.bind(
      `Array(${VALUE_TYPES[dimensionOf(level).value]})`,
      groups.map((group) => group[depth] ?? ''),
    ),
  )
  return `${groupTuple(selection)} in (select arrayJoin(arrayZip(${lists.join(', ')})))`
}

/** `rows` is the result of `compileUnallocatedSpend`. */
export const readUnallocatedSpend = (rows: readonly unknown[][]): UnallocatedSpend[] =>
  rows.map(([country, partner, stream, day, first, second]) => ({
    key: { country: Number(country), partner: Number(partner), stream: Number(stream), day: String(day) },
    components: {
      entered_spend: toExactNumber(first),
      ...(second !== undefined && { entered_spend_2: toExactNumber(second) }),
    },
  }))
