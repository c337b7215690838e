// The days of a query, as SQL. Every place in a statement names their ends by the same placeholders.
import type { Period } from '@tributary/contract/period'
import { FIRST_DAY, LAST_DAY } from '../../facts/columns.ts'
import type { Params } from './params.ts'
import type { Selection } from './query.ts'

type Periods = Pick<Selection, 'first' | 'second'>

/** Every day that a fact can be of. */
export const EVER: Period = { from: FIRST_DAY, to: LAST_DAY }

export const periodsOf = ({ first, second }: Periods): readonly Period[] =>
  second === null ? [first] : [first, second]

/** For each period: what stands after BETWEEN. */
export const periodEnds = (periods: Periods, params: Params): string[] =>
  periodsOf(periods).map(
    ({ from, to }, index) =>
      `${params.named(`from${index + 1}`, 'Date', from)} and ${params.named(`to${index + 1}`, 'Date', to)}`,
  )

/** The days of all periods, as a condition on `day`. */
export function daysSql(periods: Periods, params: Params): string {
  const ends = periodEnds(periods, params).map((end) => `day between ${end}`)
  return ends.length === 1 ? ends.join('') : `(${ends.join(' or ')})`
}
