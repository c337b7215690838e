// Which innermost groups of a report have traffic: only those carry entered spend.

import { makesRows } from '../model/part.ts'
import { factsSql, groupColumns, groupsSql, keysOf } from './compile.ts'
import { compileUnion } from './compile-source.ts'
import type { Params } from './params.ts'
import type { Plan } from './plan.ts'
import type { Selection } from './query.ts'

/** `group`: a fact's own group, as a tuple; `groups`: those with traffic, to look it up in. Null when there are none. */
export interface TrafficGroups {
  readonly group: string
  readonly groups: string
}

/** A fact's own group over the columns of `factsSql`. */
export const groupTuple = (selection: Selection): string => `tuple(${groupsSql(selection).join(', ')})`

export function trafficGroups(selection: Selection, plan: Plan, params: Params): TrafficGroups | null {
  if (!plan.isSpendPlaceable || selection.levels.length === 0) return null
  const sources = plan.sources.filter((source) => makesRows(source, selection.rowsBy))
  const traffic = compileUnion(selection, { ...plan, sources, parts: [] }, params)
  if (traffic === null) return null
  const columns = groupColumns(selection)
  const keys = keysOf(selection).join(', ')
  return {
    group: groupTuple(selection),
    groups: `(
select tuple(${keys}) from (
select ${columns.join(', ')}, sum(facts.n_traffic) as all_traffic from ${factsSql(traffic, plan)}
group by ${keys} having all_traffic > 0
))`,
  }
}
