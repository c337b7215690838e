// Draws the five histories of terms of a partner offer on one scale of days, from unsaved values.
import { Tooltip } from '@mantine/core'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { plainText } from '../../entities/field/row-text.ts'
import type { FormIssues } from '../../entities/form/form-change.ts'
import type { ChildRow, FormRow } from '../../entities/form/form-row.ts'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { formatDay, formatMonth } from '../../lib/date-format.ts'
import { formatDecimal } from '../../lib/number-format.ts'
import { businessToday } from '../../state/profile-facts.ts'
import classes from './history-timeline.module.css'

// Computes the beginning and end of each range of terms, in percent of the scale.
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
  /** Marked first days of months or years, with their position. */
  readonly marks: readonly { readonly day: string; readonly left: number }[]
}

const DAY_MS = 86_400_000
const daysOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS
const MOST_MARKS = 7
/** In percent: further right the label of a mark would not fit. */
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

/** Null if there is no range. `today` is a day (YYYY-MM-DD). */
export function timelineOf(histories: Readonly<Record<string, readonly ChildRow[]>>, today: string): Timeline | null {
  const read = Object.entries(histories).map(([name, rows]) => ({ name, ranges: rows.flatMap(readRange) }))
  const all = read.flatMap(({ ranges }) => ranges)
  if (all.length === 0) return null
  const now = daysOf(today)
  const first = Math.min(now, ...all.map(({ from }) => daysOf(from)))
  const known = Math.max(now, ...all.map(({ from, to }) => daysOf(to ?? from) + 1))
  // Adds room after the last day, so that an open end visibly continues.
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

// Checks unsaved dated terms of a partner offer: a range must not end before it begins, and ranges of one term must not overlap.
export const HISTORIES = [
  'cost_history',
  'bl_deposit_history',
  'bl_period_history',
  'bet_requirement_history',
  'max_days_history',
] as const

const OPEN_END = '9999-12-31'

/** Rejects ends before beginnings, and ranges of one term that overlap. */
export function checkHistories(values: FormRow): FormIssues {
  const issues: FormIssues = {}
  for (const history of HISTORIES) {
    const ranges = rowsOf(values[history]).flatMap((row, index) =>
      readRange(row).map(({ from, to }) => ({ path: `${history}.${index}`, from, to: to ?? OPEN_END })),
    )
    for (const range of ranges) {
      if (range.to < range.from) issues[`${range.path}.date_to`] = { key: 'dates_reversed' }
      const isMet = ranges.some((other) => other !== range && other.from <= range.to && range.from <= other.to)
      if (isMet) issues[`${range.path}.date_from`] = { key: 'history_overlap' }
    }
  }
  return issues
}

const rowsOf = (value: unknown): readonly ChildRow[] => (Array.isArray(value) ? (value as ChildRow[]) : [])

/** Omits zeros at the end. */
const numberText = (value: string): string =>
  formatDecimal(value, (value.split('.')[1] ?? '').replace(/0+$/, '').length) ?? value

export function HistoryTimeline() {
  const { t } = useTranslation()
  const labels = useLabels()
  const values = useWatch<FormRow>({ name: [...HISTORIES] })
  const histories = Object.fromEntries(HISTORIES.map((name, index) => [name, rowsOf(values[index])]))
  const timeline = timelineOf(histories, businessToday())
  return (
    <section className={classes.frame} aria-label={t(($) => $.links.timeline)}>
      <p className={classes.text}>{t(($) => $.nouns.history.text)}</p>
      {timeline === null ? null : (
        <div className={classes.scroll}>
          <div className={classes.chart}>
            <div className={classes.scale} aria-hidden>
              {timeline.marks.map(({ day, left }) => (
                <span key={day} className={classes.mark} style={{ left: `${left}%` }}>
                  {formatMonth(day, currentLanguage())}
                </span>
              ))}
            </div>
            {timeline.rows.map(({ name, ranges }) => (
              <div key={name} className={classes.row}>
                <span className={classes.name}>{labels.field('offer_partner', name)}</span>
                <ul className={classes.track} aria-label={labels.field('offer_partner', name)}>
                  {ranges.map((range) => (
                    <RangeBar key={range.key} range={range} />
                  ))}
                </ul>
              </div>
            ))}
            <div className={classes.days} aria-hidden>
              <span className={classes.today} style={{ left: `${timeline.today}%` }}>
                <span>{t(($) => $.links.today)}</span>
              </span>
            </div>
          </div>
        </div>
      )}
    </section>
  )
}

function RangeBar({ range }: { range: TermRange }) {
  const { t } = useTranslation()
  const from = formatDay(range.from)
  const days =
    range.to === null ? t(($) => $.links.openRange, { from: from ?? '' }) : `${from} – ${formatDay(range.to)}`
  const value = numberText(range.value)
  return (
    <Tooltip label={`${value} · ${days}`}>
      <li
        className={classes.range}
        data-now={range.isNow || undefined}
        data-open={range.to === null || undefined}
        style={{ left: `${range.left}%`, width: `${range.width}%` }}
      >
        <span>{value}</span>
        <span className={classes.hidden}>{days}</span>
      </li>
    </Tooltip>
  )
}
