// Draws dated terms on one scale of days: those of a form, from its unsaved values, and others beside them.

import { Tooltip } from '@mantine/core'
import { DATED_TERMS } from '@tributary/contract/dated-terms'
import type { EntityName } from '@tributary/contract/entities/registry'
import { unitOf } from '@tributary/contract/field'
import { formatMonth } from '@tributary/contract/period'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type Labels, useLabels } from '../../i18n/labels.ts'
import { currentLanguage } from '../../i18n/language.ts'
import { formatDay } from '../../lib/date-format.ts'
import { joinTexts } from '../../lib/isolate.ts'
import { formatExact } from '../../lib/number-format.ts'
import { businessToday } from '../../state/profile-facts.ts'
import { entityOf, targetOf } from '../field/field-at.ts'
import { currencyOf, textOf } from '../field/field-value.tsx'
import { plainText } from '../field/row-text.ts'
import type { FormRow } from '../form/form-row.ts'
import { fillGaps, rowsOf, type TermRange, type TermRow, timelineOf } from './term-ranges.ts'
import classes from './term-timeline.module.css'

/** One line of the chart: the ranges of one term. */
export interface TermTrack {
  /** The entity of the ranges, and their field that refers to the owner; null if only one owner exists. */
  readonly history: EntityName
  readonly owner: string | null
  readonly label: string
  readonly rows: readonly TermRow[]
}

/** The values of the owner that hold on days without a range; null if it has none. */
function baseOf(history: EntityName, entity: EntityName, owner: TermRow | null): TermRow | null {
  const term = DATED_TERMS[entity]?.find((one) => one.history === history)
  if (term === undefined || owner === null) return null
  const base = Object.fromEntries(Object.entries(term.fields).map(([name, field]) => [name, owner[field] ?? null]))
  return Object.values(base).every((value) => value === null) ? null : base
}

/** The track with the owner's own values on days without a range. `owner`: as it was loaded. */
export function withBase(track: TermTrack, entity: EntityName, owner: TermRow | null): TermTrack {
  const base = baseOf(track.history, entity, owner)
  return base === null ? track : { ...track, rows: fillGaps(track.rows, base) }
}

/** The track of a collection of ranges; null if the entity has no such collection. */
export function trackOf(labels: Labels, entity: EntityName, name: string, rows: readonly TermRow[]): TermTrack | null {
  const field = entityOf(entity).fields[name]
  const history = field === undefined ? null : targetOf(field)
  if (field?.kind !== 'children' || history === null) return null
  return { history, owner: field.by, label: labels.field(entity, name), rows }
}

/** What a range says, with units: '50 EUR', '30 % · Registration'. A dash says that nothing applies. */
export function termText(labels: Labels, { history, owner }: TermTrack, row: TermRow, currency: string | null): string {
  const texts = Object.entries(entityOf(history).fields).flatMap(([key, field]) => {
    const value = row[key]
    if (key === owner || field.kind === 'date' || value === null || value === undefined || value === '') return []
    if (field.kind === 'boolean') return [labels.value(value === true ? 'yes' : 'no')]
    if (field.kind !== 'decimal' && field.kind !== 'integer') {
      // Shown beside the amounts.
      if (key === 'currency') return []
      const text = textOf(labels, history, key, field, value)
      return text === null ? [] : [text]
    }
    const number = formatExact(plainText(value))
    const unit = field.kind === 'decimal' ? unitOf(field, row) : undefined
    const shown =
      unit === 'percent' ? `${number}\u00a0%` : unit === 'money' ? joined(number, currencyOf(row) ?? currency) : number
    return [key === 'value' || key === 'cost' || key === 'rs_share' ? shown : `${labels.field(history, key)} ${shown}`]
  })
  return texts.length === 0 ? '–' : joinTexts(texts)
}

const joined = (number: string, currency: string | null): string =>
  currency === null ? number : `${number}\u00a0${currency}`

interface TermTimelineProps {
  entity: EntityName
  /** Collections of ranges of the form. */
  names: readonly string[]
  /** The row of the form as it was loaded; null for a new one. */
  row: TermRow | null
  /** Terms of other rows that apply as well. */
  others?: readonly TermTrack[]
}

export function TermTimeline({ entity, names, row, others = [] }: TermTimelineProps) {
  const { t } = useTranslation()
  const labels = useLabels()
  const values = useWatch<FormRow>({ name: [...names, 'currency'] })
  const currency = currencyOf({ currency: values.at(-1) })
  const own = names.flatMap((name, index) => {
    const track = trackOf(labels, entity, name, rowsOf(values[index]))
    return track === null ? [] : [withBase(track, entity, row)]
  })
  const tracks = [...own, ...others]
  const timeline = timelineOf(Object.fromEntries(tracks.map((track, index) => [index, track.rows])), businessToday())
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
            {tracks.map((track, index) => (
              <div key={`${track.history} ${track.label}`} className={classes.row}>
                <span className={classes.name}>{track.label}</span>
                <ul className={classes.track} aria-label={track.label}>
                  {timeline.rows[index]?.ranges.map((range) => (
                    <RangeBar key={range.key} range={range} value={termText(labels, track, range.row, currency)} />
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

function RangeBar({ range: { from, to, ...range }, value }: { range: TermRange; value: string }) {
  const { t } = useTranslation()
  const days = daysText()
  function daysText(): string {
    if (from === null && to === null) return t(($) => $.links.allDays)
    if (from === null) return t(($) => $.links.openStart, { to: formatDay(to) ?? '' })
    if (to === null) return t(($) => $.links.openRange, { from: formatDay(from) ?? '' })
    return `${formatDay(from)} – ${formatDay(to)}`
  }
  return (
    <Tooltip label={`${value} · ${days}`}>
      <li
        className={classes.range}
        data-now={range.isNow || undefined}
        data-open={to === null || undefined}
        data-begun={from === null || undefined}
        style={{ left: `${range.left}%`, width: `${range.width}%` }}
      >
        <span>{value}</span>
        <span className={classes.hidden}>{days}</span>
      </li>
    </Tooltip>
  )
}
