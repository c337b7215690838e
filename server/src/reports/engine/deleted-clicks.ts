// Clicks that retention has deleted. Sums by day (click_day) replace them if they have all columns of the groups and filters; otherwise the
// report counts what is left, and says so.
import { addDays, lastDayOf } from '@tributary/contract/period'
import type { DeletedMonth } from '../../facts/clicks/deleted-clicks.ts'
import { columnOf } from '../model/column.ts'
import { knownAtParam } from '../model/known.ts'
import { columnsIn, GROUPING_COLUMNS } from './month-sums.ts'
import { type Params, periodsOf } from './params.ts'
import type { Plan } from './plan.ts'
import type { Selection } from './query.ts'

const SUMMED_COLUMNS: readonly string[] = [...GROUPING_COLUMNS.click, 'day', 'week']

const nameOf = ({ month }: DeletedMonth): string => `${month.slice(0, 4)}-${month.slice(4)}`

/** The deleted months that have days in a period of the selection. */
const deletedIn = (selection: Pick<Selection, 'first' | 'second' | 'deletedClicks'>): DeletedMonth[] =>
  selection.deletedClicks.filter((one) => {
    const name = nameOf(one)
    return periodsOf(selection).some(({ from, to }) => from <= lastDayOf(name) && `${name}-01` <= to)
  })

const canReadDays = (selection: Selection, plan: Plan): boolean =>
  columnsIn(selection, plan).every((column) => columnOf(column).sql.click === null || SUMMED_COLUMNS.includes(column))

/** SQL conditions on rows of click_day that replace deleted clicks of the selection; null if there are none. */
export function deletedDaysSql(selection: Selection, plan: Plan, params: Params): string[] | null {
  const summed = new Set(selection.sums.click.map(({ month }) => month))
  const months = deletedIn(selection).filter(({ month }) => !summed.has(month))
  if (months.length === 0 || !canReadDays(selection, plan)) return null
  const runs = params.bind(
    'Array(UInt64)',
    months.map(({ run }) => run),
  )
  const { knownAt } = selection
  // Days know no hours: of those around the moment, nothing is counted.
  const known = knownAt === null ? [] : [`day < addDays(toDate(${knownAtParam(knownAt, params)}), -1)`]
  return [`run in ${runs}`, ...known]
}

/** SQL conditions that leave out clicks which the sums by day include already. */
export function unsummedClicksSql(selection: Selection, params: Params): string[] {
  const present = deletedIn(selection).filter(({ isDropped }) => !isDropped)
  if (present.length === 0) return []
  const months = params.bind(
    'Array(UInt32)',
    present.map(({ month }) => Number(month)),
  )
  return [`toYYYYMM(day) not in ${months}`]
}

/** Months ('2026-06') whose deleted clicks the report would need. */
export function missingClickMonths(selection: Selection, plan: Plan): string[] {
  const needsClicks = selection.isByClick && plan.sources.includes('activity')
  if (!needsClicks && !plan.sources.includes('click')) return []
  const isSummed = !needsClicks && canReadDays(selection, plan)
  return deletedIn(selection)
    .filter((one) => one.isDropped && (!isSummed || isAround(selection.knownAt, nameOf(one))))
    .map(nameOf)
}

/** Months of the selection whose clicks a drill-down cannot list. */
export const unlistedClickMonths = (selection: Selection): string[] =>
  deletedIn(selection)
    .filter(({ isDropped }) => isDropped)
    .map(nameOf)

/** True if days of the month were not over everywhere at the moment. */
function isAround(knownAt: string | null, month: string): boolean {
  if (knownAt === null) return false
  const day = knownAt.slice(0, 10)
  return addDays(day, -1) <= lastDayOf(month) && `${month}-01` <= addDays(day, 1)
}
