// The five histories of a link on one scale of days: where each range begins and ends, in percent. Pure.

import { plainText } from '../../entities/field/plain-text.ts'
import type { ChildRow } from '../../entities/form/form-row.ts'

export interface TermRange {
  readonly key: string
  /** In percent of the whole. */
  readonly left: number
  readonly width: number
  readonly value: string
  readonly from: string
  /** Null: until changed. */
  readonly to: string | null
  readonly isNow: boolean
}

export interface Timeline {
  readonly rows: readonly { readonly name: string; readonly ranges: readonly TermRange[] }[]
  readonly today: number
  /** First days of months or years that are marked, with their place. */
  readonly marks: readonly { readonly day: string; readonly left: number }[]
}

const DAY_MS = 86_400_000
const daysOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS
const MOST_MARKS = 7
/** In percent: further right a mark's words would not fit. */
const LAST_MARK = 93

interface Range {
  key: string
  value: string
  from: string
  to: string | null
}

function readRange(row: ChildRow): Range[] {
  const { date_from: from, date_to: to, value, _status, _key } = row
  if (_status === 'deleted' || typeof from !== 'string' || from === '' || Number.isNaN(daysOf(from))) return []
  return [
    {
      key: _key,
      value: value === null || value === undefined ? '' : plainText(value),
      from,
      to: typeof to === 'string' && to !== '' ? to : null,
    },
  ]
}

/** Null when there is no range at all. `today`: a day. */
export function timelineOf(histories: Readonly<Record<string, readonly ChildRow[]>>, today: string): Timeline | null {
  const read = Object.entries(histories).map(([name, rows]) => ({ name, ranges: rows.flatMap(readRange) }))
  const all = read.flatMap(({ ranges }) => ranges)
  if (all.length === 0) return null
  const now = daysOf(today)
  const first = Math.min(now, ...all.map(({ from }) => daysOf(from)))
  const known = Math.max(now, ...all.map(({ from, to }) => daysOf(to ?? from) + 1))
  // Room behind today, so that an open end can be seen to go on.
  const last = known + Math.max(7, Math.round((known - first) * 0.12))
  const place = (day: number): number => ((day - first) / (last - first)) * 100
  return {
    today: place(now),
    marks: marksBetween(first, last)
      .map((day) => ({ day, left: place(daysOf(day)) }))
      .filter(({ left }) => left < LAST_MARK),
    rows: read.map(({ name, ranges }) => ({
      name,
      ranges: ranges
        .toSorted((a, b) => a.from.localeCompare(b.from))
        .map((range) => {
          const left = place(daysOf(range.from))
          const right = range.to === null ? 100 : place(daysOf(range.to) + 1)
          const isNow = range.from <= today && (range.to === null || range.to >= today)
          return { ...range, left, width: Math.max(0.5, right - left), isNow }
        }),
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
