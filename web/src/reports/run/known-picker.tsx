// As known when: now, or at an earlier moment; and the way to what has changed since.
import { Popover } from '@mantine/core'
import { IconChevronDown, IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReportWords } from '../../i18n/labels.ts'
import { formatDateTime } from '../../lib/date-format.ts'
import { businessZone } from '../../state/business-zone.ts'
import classes from '../report.module.css'
import { KnownPanel } from './known-panel.tsx'

interface KnownPickerProps {
  /** ISO 8601; null = now. */
  knownAt: string | null
  onChange: (knownAt: string | null) => void
  /** Opens what has changed since the moment. */
  onChanges: (since: string) => void
}

export function KnownPicker({ knownAt, onChange, onChanges }: KnownPickerProps) {
  const { t } = useTranslation('reports')
  const words = useReportWords()
  const [isOpen, setOpen] = useState(false)
  const zone = businessZone()
  const face =
    knownAt === null ? words.known.now : t(($) => $.known.asOf, { time: formatDateTime(knownAt, zone) ?? '' })
  const act = (work: () => void) => {
    setOpen(false)
    work()
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start">
      <Popover.Target>
        <button
          type="button"
          className={knownAt === null ? classes.picker : `${classes.picker} ${classes.chosen}`}
          aria-label={`${words.known.title}: ${face}`}
          onClick={() => setOpen(!isOpen)}
        >
          <IconHistory size={14} aria-hidden />
          {face}
          <IconChevronDown size={13} className={classes.pickerMark} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.known ?? ''}>
        <KnownPanel
          knownAt={knownAt}
          onChange={(moment) => act(() => onChange(moment))}
          onChanges={(since) => act(() => onChanges(since))}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
