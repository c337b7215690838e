// Selects the rows that a chart draws: the first few as bars, or those of the period along time, with the second period laid over.
import type { Period } from '@tributary/contract/period'
import type { ReportRow } from '@tributary/contract/reports/general'
import type { DimensionName } from '@tributary/contract/reports/traffic'
import type { Dot } from '../../reports/table/series.ts'
import { isRunning, lastDay } from '../../reports/table/time-level.ts'
import { groupOf, titleOf } from './report-rows.ts'

/** The most bars that are still distinguishable. */
const BARS = 12

type NumberOf = (row: ReportRow) => number | null

const idOf = (row: ReportRow) => String(groupOf(row)?.id ?? '')
const dotOf = (row: ReportRow, at: string, numberOf: NumberOf): Dot => ({
  at,
  title: titleOf(row),
  value: numberOf(row),
})

export const isGrouped = (row: ReportRow): boolean => groupOf(row) !== undefined

/** What the rows without a bar have in common: their title, and the total of all rows. */
interface Others {
  readonly title: string
  readonly total: number | null
}

/** The first rows, then the others together; without `others` these are omitted. */
export function barDots(rows: readonly ReportRow[], numberOf: NumberOf, others: Others | null): Dot[] {
  const first = rows
    .filter(isGrouped)
    .slice(0, BARS)
    .map((row) => dotOf(row, idOf(row), numberOf))
  if (others === null || others.total === null || rows.filter(isGrouped).length <= BARS) return first
  const drawn = first.reduce((sum, { value }) => sum + (value ?? 0), 0)
  return [...first, { at: 'others', title: others.title, value: others.total - drawn }]
}

/** Orders rows by time and omits rows outside the period: those of the other period have no number in this one. */
function rowsOf(rows: readonly ReportRow[], level: DimensionName, { from, to }: Period): ReportRow[] {
  return rows
    .filter((row) => isGrouped(row) && idOf(row) <= to && lastDay(level, idOf(row)) >= from)
    .toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
}

/** `today` is the business day; the period that includes it is marked as running. */
export function timeDots(
  rows: readonly ReportRow[],
  level: DimensionName,
  days: Period,
  today: string,
  numberOf: NumberOf,
): Dot[] {
  return rowsOf(rows, level, days).map((row) => ({
    ...dotOf(row, idOf(row), numberOf),
    ...(isRunning(level, idOf(row), today) && { isRunning: true }),
  }))
}

/** Lays the second period over the first by position: its first day over the first day, and so on. */
export function overlayDots(over: readonly Dot[], dots: readonly Dot[]): Dot[] {
  return dots.flatMap((dot, place) => {
    const at = over[place]?.at
    return at === undefined ? [] : [{ ...dot, at }]
  })
}
