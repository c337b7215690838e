// Above the five histories of a link: all of them drawn on one scale of days, as they are being typed.
import { Tooltip } from '@mantine/core'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { ChildRow, FormRow } from '../../entities/form/form-row.ts'
import { useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { formatDay, formatMonth } from '../../lib/date-format.ts'
import { formatDecimal } from '../../lib/number-format.ts'
import { businessToday } from '../../state/business-zone.ts'
import { HISTORIES } from './history-check.ts'
import classes from './history-timeline.module.css'
import { type TermRange, timelineOf } from './term-timeline.ts'

const rowsOf = (value: unknown): readonly ChildRow[] => (Array.isArray(value) ? (value as ChildRow[]) : [])

/** Zeros that nobody typed are left out. */
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
