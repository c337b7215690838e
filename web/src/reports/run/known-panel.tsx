// Selects "as known on": now or an earlier moment, and opens the changes since then.
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { formatMoment, maskMoment, parseMoment } from '../../lib/date-format.ts'
import { businessZone } from '../../state/profile-facts.ts'
import classes from '../report.module.css'

interface KnownPanelProps {
  /** ISO 8601; null = now. */
  knownAt: string | null
  onChange: (knownAt: string | null) => void
  /** Opens the list of changes since the moment. */
  onChanges: (since: string) => void
}

const HOUR_MS = 3_600_000
const PRESETS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS } as const
type PresetName = keyof typeof PRESETS
const PRESET_NAMES = Object.keys(PRESETS) as PresetName[]

export function KnownPanel({ knownAt, onChange, onChanges }: KnownPanelProps) {
  const words = useReportWords()
  const zone = businessZone()
  const { t } = useTranslation()
  const before = (milliseconds: number): string =>
    formatMoment(new Date(Date.now() - milliseconds).toISOString(), zone) ?? ''
  const [text, setText] = useState(() => (knownAt === null ? before(PRESETS.day) : (formatMoment(knownAt, zone) ?? '')))
  const moment = parseMoment(text, zone)
  const isFuture = moment !== null && Date.parse(moment) > Date.now()
  const chosen = isFuture ? null : moment
  const problem = isFuture ? words.known.future : moment === null && text !== '' ? words.known.invalid : null
  return (
    <div className={classes.known}>
      <p className={classes.note}>{words.known.hint}</p>
      <TextInput
        label={words.known.choose}
        placeholder={t(($) => $.period.momentPattern)}
        inputMode="numeric"
        autoComplete="off"
        maxLength={19}
        value={text}
        error={problem}
        onChange={({ currentTarget: { value, selectionStart } }) =>
          setText(value.length > text.length && selectionStart === value.length ? maskMoment(value) : value)
        }
      />
      <div className={classes.knownPresets}>
        {PRESET_NAMES.map((name) => (
          <button key={name} type="button" className={classes.link} onClick={() => setText(before(PRESETS[name]))}>
            {words.known.presets[name]}
          </button>
        ))}
      </div>
      <div className={classes.knownActs}>
        <Button size="compact-sm" disabled={chosen === null} onClick={() => onChange(chosen)}>
          {words.known.apply}
        </Button>
        <Button
          size="compact-sm"
          variant="light"
          disabled={chosen === null}
          onClick={() => chosen !== null && onChanges(chosen)}
        >
          {words.known.changes}
        </Button>
        {knownAt === null ? null : (
          <Button size="compact-sm" variant="default" onClick={() => onChange(null)}>
            {words.known.clear}
          </Button>
        )}
      </div>
    </div>
  )
}
