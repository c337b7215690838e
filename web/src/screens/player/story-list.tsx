// The timeline: click → registration → deposits → qualification → postbacks → payment resolution. Replaced entries are struck through.
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type Labels, useLabels } from '../../i18n/labels.ts'
import { formatDay } from '../../lib/date-format.ts'
import { formatDecimal } from '../../lib/number-format.ts'
import { StateBadge, toneOf } from '../../ui/state-badge.tsx'
import { MomentText } from '../../ui/value.tsx'
import classes from './player-story.module.css'
import type { Timeline, TimelineEntry } from './player-story.tsx'

const TONES: Partial<Record<TimelineEntry['kind'], string>> = {
  click: 'accent',
  registration: 'accent',
  deposit: 'positive',
  qualified: 'positive',
  resolution: 'accent',
}

export function StoryList({ timeline: { entries, is_cut } }: { timeline: Timeline }) {
  const { t } = useTranslation()
  return (
    <section aria-label={t(($) => $.players.story.title)}>
      <h2 className={classes.title}>{t(($) => $.players.story.title)}</h2>
      {entries.length === 0 ? <p className={classes.quiet}>{t(($) => $.players.story.empty)}</p> : null}
      {is_cut ? <p className={classes.quiet}>{t(($) => $.players.story.cut)}</p> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <ol className={classes.entries} tabIndex={0} aria-label={t(($) => $.players.story.title)}>
        {entries.map((entry, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id of their own, and never change places
          <Entry key={`${entry.kind} ${entry.at ?? entry.day} ${place}`} entry={entry} />
        ))}
      </ol>
    </section>
  )
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { t } = useTranslation()
  const labels = useLabels()
  const isFailure = entry.kind === 'postback' && (entry.state === 'failed' || entry.state === 'refused')
  const tone = isFailure ? 'negative' : TONES[entry.kind]
  return (
    <li className={classes.entry} data-tone={tone} data-replaced={entry.counts ? undefined : true}>
      <span aria-hidden className={classes.dot} />
      <span className={classes.when}>{entry.at === null ? formatDay(entry.day) : <MomentText value={entry.at} />}</span>
      <span className={classes.what}>
        <span>{titleOf(entry, t, labels)}</span>
        {entry.amount === null ? null : (
          <span className={classes.amount}>
            {formatDecimal(entry.amount, 2)} {entry.currency}
            {entry.converted?.amount == null
              ? null
              : ` · ${formatDecimal(entry.converted.amount, 2)} ${entry.converted.currency}`}
          </span>
        )}
        {entry.kind === 'postback' && entry.state !== null ? (
          <StateBadge tone={toneOf(entry.state)}>{labels.choice('postback', 'status', entry.state)}</StateBadge>
        ) : null}
        {entry.kind === 'click' ? <span className={classes.note}>{entry.id}</span> : null}
        <Note entry={entry} labels={labels} />
        {entry.figures === null ? null : <Figures entry={entry} labels={labels} />}
      </span>
    </li>
  )
}

function titleOf({ kind, title, state, by }: TimelineEntry, t: TFunction, labels: Labels): string {
  const name = title ?? ''
  switch (kind) {
    case 'event':
      return t(($) => $.players.story.event, { name })
    case 'postback':
      return by === 'out'
        ? t(($) => $.players.story.postbackOut, { name })
        : t(($) => $.players.story.postbackIn, { name })
    case 'resolution':
      return state === null
        ? t(($) => $.players.story.resolutionReset)
        : t(($) => $.players.story.resolution, { name: labels.choice('player', 'payment_resolution', state) })
    case 'attribution':
      return title === null ? t(($) => $.players.story.unattributed) : t(($) => $.players.story.attribution, { name })
    case 'change':
      return title === 'create' ? t(($) => $.players.story.create) : t(($) => $.players.story.change)
    case 'bet':
    case 'click':
    case 'deposit':
    case 'qualified':
    case 'registration':
    case 'report':
      return t(($) => $.players.story[kind])
  }
}

/** The author, further notes, and whether the entry counts. */
function Note({ entry, labels }: { entry: TimelineEntry; labels: Labels }) {
  const { t } = useTranslation()
  const notes: string[] = []
  if (entry.kind === 'change' && entry.note !== null)
    notes.push(
      entry.note
        .split(',')
        .map((field) => labels.field('player', field))
        .join(', '),
    )
  else if (entry.kind === 'postback' && entry.note !== null) notes.push(entry.note)
  if (entry.kind === 'report' && entry.title !== null) notes.push(entry.title)
  if (entry.kind !== 'postback' && entry.by !== null) notes.push(t(($) => $.players.story.by, { name: entry.by }))
  if (!entry.counts) notes.push(t(($) => $.players.story.replaced))
  return notes.length === 0 ? null : <span className={classes.note}>{notes.join(' · ')}</span>
}

function Figures({ entry: { figures, currency, converted }, labels }: { entry: TimelineEntry; labels: Labels }) {
  const shown = Object.entries(figures ?? {}).filter(([, value]) => Number(value) !== 0)
  return (
    <dl className={classes.figures}>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{labels.field('player_report', name)}</dt>
          <dd>
            {name === 'deposits_count' ? value : `${formatDecimal(value, 2)} ${currency ?? ''}`}
            {converted?.figures?.[name] === undefined
              ? null
              : ` · ${formatDecimal(converted.figures[name], 2)} ${converted.currency}`}
          </dd>
        </div>
      ))}
    </dl>
  )
}
