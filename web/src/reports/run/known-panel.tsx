// Selects "as known on": now or an earlier moment, and opens the changes since then.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useReportWords } from '../../i18n/labels.ts'
import { businessZone } from '../../state/profile-facts.ts'
import classes from '../report.module.css'
import { fromWallTime, toWallTime } from './known-moment.ts'

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
  const [wall, setWall] = useState(() =>
    toWallTime(knownAt === null ? Date.now() - PRESETS.day : Date.parse(knownAt), zone),
  )
  const chosen = fromWallTime(wall, zone)
  return (
    <div className={classes.known}>
      <p className={classes.note}>{words.known.hint}</p>
      <label className={classes.knownField}>
        {words.known.choose}
        <input
          type="datetime-local"
          step={1}
          value={wall}
          max={toWallTime(Date.now(), zone)}
          onChange={({ currentTarget }) => setWall(currentTarget.value)}
        />
      </label>
      <div className={classes.knownPresets}>
        {PRESET_NAMES.map((name) => (
          <button
            key={name}
            type="button"
            className={classes.link}
            onClick={() => setWall(toWallTime(Date.now() - PRESETS[name], zone))}
          >
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
