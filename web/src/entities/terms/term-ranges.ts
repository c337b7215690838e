// Ranges of dated terms: their places on a scale of days, and whether they are valid. Rows may be unsaved.
import { BEGINNING, formatDay, isBeginning } from '../../lib/date-format.ts'
import type { FormIssues } from '../form/form-change.ts'
import type { FormRow } from '../form/form-row.ts'

/** A range of a form, or of the wire. */
export type TermRow = Readonly<Record<string, unknown>>

export interface TermRange {
  readonly key: string
  /** In percent of the whole. */
  readonly left: number
  readonly width: number
  readonly row: TermRow
  /** Null: since the beginning. */
  readonly from: string | null
  /** Null: until changed. */
  readonly to: string | null
  readonly isNow: boolean
}

export interface Timeline {
  readonly rows: readonly { readonly name: string; readonly ranges: readonly TermRange[] }[]
  readonly today: number
  /** Marked first days of months or years, with their position. */
  readonly marks: readonly { readonly day: string; readonly left: number }[]
}

const DAY_MS = 86_400_000
const daysOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS
const MOST_MARKS = 7
/** In percent: further right the label of a mark would not fit. */
const LAST_MARK = 93

interface Range {
  readonly key: string
  readonly row: TermRow
  readonly from: string
  readonly to: string | null
}

function readRange(row: TermRow): Range[] {
  const { date_from: from, date_to: to, _status, _key, id } = row
  if (_status === 'deleted' || typeof from !== 'string' || from === '' || Number.isNaN(daysOf(from))) return []
  return [{ key: String(_key ?? id), row, from, to: typeof to === 'string' && to !== '' ? to : null }]
}

const shifted = (day: string, by: number): string => new Date((daysOf(day) + by) * DAY_MS).toISOString().slice(0, 10)

/** Adds ranges for the days without one, on which the owner's own values hold. */
export function fillGaps(rows: readonly TermRow[], base: TermRow): TermRow[] {
  const filled = [...rows]
  const add = (date_from: string, date_to: string | null) =>
    filled.push({ ...base, _key: `base ${date_from}`, date_from, date_to })
  let next = BEGINNING
  for (const { from, to } of rows.flatMap(readRange).toSorted((a, b) => a.from.localeCompare(b.from))) {
    if (from > next) add(next, shifted(from, -1))
    if (to === null) return filled
    if (to >= next) next = shifted(to, 1)
  }
  add(next, null)
  return filled
}

const isFromBeginning = ({ from }: Range): boolean => isBeginning(from)

/** Null if there is no range. `today` is a day (YYYY-MM-DD). */
export function timelineOf(histories: Readonly<Record<string, readonly TermRow[]>>, today: string): Timeline | null {
  const read = Object.entries(histories).map(([name, rows]) => ({ name, ranges: rows.flatMap(readRange) }))
  const all = read.flatMap(({ ranges }) => ranges)
  if (all.length === 0) return null
  const now = daysOf(today)
  const begun = all.map((range) =>
    isFromBeginning(range) ? Math.min(now, daysOf(range.to ?? today)) : daysOf(range.from),
  )
  const known = Math.max(now, ...all.map(({ from, to }) => daysOf(to ?? from) + 1))
  // Adds room at both ends, so that a range without an end, or since the beginning, visibly continues.
  const earliest = Math.min(now, ...begun)
  const room = Math.max(7, Math.round((known - earliest) * 0.12))
  const first = all.some(isFromBeginning) ? earliest - room : earliest
  const last = known + room
  const place = (day: number): number => ((day - first) / (last - first)) * 100
  const draw = (range: Range): TermRange => {
    const isOpen = isFromBeginning(range)
    const left = isOpen ? 0 : place(daysOf(range.from))
    const right = range.to === null ? 100 : place(daysOf(range.to) + 1)
    const isNow = range.from <= today && (range.to === null || range.to >= today)
    return { ...range, from: isOpen ? null : range.from, left, width: Math.max(0.5, right - left), isNow }
  }
  return {
    today: place(now),
    marks: marksBetween(first, last)
      .map((day) => ({ day, left: place(daysOf(day)) }))
      .filter(({ left }) => left < LAST_MARK),
    rows: read.map(({ name, ranges }) => ({
      name,
      ranges: ranges.toSorted((a, b) => a.from.localeCompare(b.from)).map(draw),
    })),
  }
}

function marksBetween(first: number, last: number): string[] {
  const start = new Date(first * DAY_MS)
  const months = Math.ceil((last - first) / 30.44)
  const step = [1, 2, 3, 6, 12, 24].find((size) => months / size <= MOST_MARKS) ?? 60
  const marks: string[] = []
  for (let index = 1; ; index++) {
    const month = Math.ceil((start.getUTCMonth() + 1) / step) * step + (index - 1) * step
    const at = new Date(Date.UTC(start.getUTCFullYear(), month, 1))
    if (at.getTime() / DAY_MS >= last) return marks
    marks.push(at.toISOString().slice(0, 10))
  }
}

const OPEN_END = '9999-12-31'

export const rowsOf = (value: unknown): readonly TermRow[] => (Array.isArray(value) ? (value as TermRow[]) : [])

/** '01.10.2026 – 31.10.2026'; an open end is an ellipsis. */
const daysOfRange = (from: string, to: string): string =>
  `${isBeginning(from) ? '…' : formatDay(from)} – ${to === OPEN_END ? '…' : formatDay(to)}`

/** Rejects ends before beginnings, and ranges of one term that overlap, and names the first other range. */
export function checkRanges(values: FormRow, histories: readonly string[]): FormIssues {
  const issues: FormIssues = {}
  for (const history of histories) {
    const ranges = rowsOf(values[history]).flatMap((row, index) =>
      readRange(row).map(({ from, to }) => ({ path: `${history}.${index}`, from, to: to ?? OPEN_END })),
    )
    for (const range of ranges) {
      if (range.to < range.from) issues[`${range.path}.date_to`] = { key: 'dates_reversed' }
      const met = ranges.find((other) => other !== range && other.from <= range.to && range.from <= other.to)
      if (met !== undefined) {
        const values = { range: daysOfRange(met.from, met.to) }
        issues[`${range.path}.date_from`] = { key: 'history_overlap_with', values }
      }
    }
  }
  return issues
}
