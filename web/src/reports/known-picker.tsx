// As known when: now, or at an earlier moment; and the way to what has changed since.
import { Button, Popover } from '@mantine/core'
import { IconChevronDown, IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../i18n/report-words.ts'
import { formatDateTime } from '../lib/date-format.ts'
import { businessZone } from '../state/business-zone.ts'
import { momentOf, wallOf } from './known-moment.ts'
import classes from './report.module.css'

interface KnownPickerProps {
  /** ISO 8601; null = now. */
  knownAt: string | null
  onChange: (knownAt: string | null) => void
  /** Opens what has changed since the moment. */
  onChanges: (since: string) => void
}

const HOUR_MS = 3_600_000
const PRESETS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS } as const
type PresetName = keyof typeof PRESETS
const PRESET_NAMES = Object.keys(PRESETS) as PresetName[]

export function KnownPicker({ knownAt, onChange, onChanges }: KnownPickerProps) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const [isOpen, setOpen] = useState(false)
  const [wall, setWall] = useState('')
  const zone = businessZone()
  const face =
    knownAt === null ? words.known.now : t(($) => $.known.asOf, { time: formatDateTime(knownAt, zone) ?? '' })
  const open = () => {
    setWall(wallOf(knownAt === null ? Date.now() - PRESETS.day : Date.parse(knownAt), zone))
    setOpen(!isOpen)
  }
  const chosen = momentOf(wall, zone)
  const act = (work: () => void) => {
    setOpen(false)
    work()
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={knownAt === null ? classes.picker : `${classes.picker} ${classes.chosen}`}
          aria-label={`${words.known.title}: ${face}`}
          aria-expanded={isOpen}
          onClick={open}
        >
          <IconHistory size={14} aria-hidden />
          {face}
          <IconChevronDown size={13} className={classes.pickerMark} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.known}>
        <p className={classes.note}>{words.known.hint}</p>
        <label className={classes.knownField}>
          {words.known.choose}
          <input
            type="datetime-local"
            step={1}
            value={wall}
            max={wallOf(Date.now(), zone)}
            onChange={({ currentTarget }) => setWall(currentTarget.value)}
          />
        </label>
        <div className={classes.knownPresets}>
          {PRESET_NAMES.map((name) => (
            <button
              key={name}
              type="button"
              className={classes.link}
              onClick={() => setWall(wallOf(Date.now() - PRESETS[name], zone))}
            >
              {words.known.presets[name]}
            </button>
          ))}
        </div>
        <div className={classes.knownActs}>
          <Button size="compact-sm" disabled={chosen === null} onClick={() => act(() => onChange(chosen))}>
            {words.known.apply}
          </Button>
          <Button
            size="compact-sm"
            variant="light"
            disabled={chosen === null}
            onClick={() => act(() => (chosen === null ? undefined : onChanges(chosen)))}
          >
            {words.known.changes}
          </Button>
          {knownAt === null ? null : (
            <Button size="compact-sm" variant="default" onClick={() => act(() => onChange(null))}>
              {words.known.clear}
            </Button>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
