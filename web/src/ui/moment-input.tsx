// A day and a time of day, by the clocks of the business zone: typed with separators that come by themselves, chosen from a calendar, or moved by
// the arrow keys, part by part. What is no moment yet goes out as it was typed, so that it is refused and not forgotten.
import { ActionIcon, Button, Popover, TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { addDays, dayOf, instantOf, shiftInstant } from '@tributary/contract/period'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maskMoment, parseMoment, partAt, showMoment } from '../lib/moment-text.ts'
import { businessToday, businessZone } from '../state/business-zone.ts'
import { Calendar } from './calendar.tsx'
import classes from './moment-input.module.css'

interface MomentInputProps {
  label?: ReactNode
  ariaLabel?: string | undefined
  /** ISO 8601, or what was typed and is none. */
  value: string | null
  onChange: (value: string | null) => void
  onBlur?: (() => void) | undefined
  description?: ReactNode
  error?: ReactNode
  required?: boolean | undefined
  disabled?: boolean | undefined
}

export function MomentInput({
  value,
  onChange,
  onBlur,
  ariaLabel,
  description,
  required = false,
  disabled = false,
  ...field
}: MomentInputProps) {
  const { t } = useTranslation()
  const zone = businessZone()
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState<string | null>(null)
  const shown = showMoment(value, zone)
  const text = typed ?? shown ?? value ?? ''
  const type = (next: string) => {
    // Separators are put in where one types on; whoever takes away or mends in the middle is left alone.
    const isTypedOn = next.length > text.length && input.current?.selectionStart === next.length
    const masked = isTypedOn ? maskMoment(next) : next
    setTyped(masked)
    onChange(masked.trim() === '' ? null : (parseMoment(masked, zone) ?? masked))
  }
  const choose = (next: string | null) => {
    setTyped(null)
    setOpen(false)
    if (next !== null) onChange(next)
  }
  const step = (event: KeyboardEvent<HTMLInputElement>) => {
    if ((event.key !== 'ArrowUp' && event.key !== 'ArrowDown') || shown === null || value === null) return
    event.preventDefault()
    const caret = event.currentTarget.selectionStart ?? 0
    const moved = shiftInstant(value, partAt(text, caret), event.key === 'ArrowUp' ? 1 : -1, zone)
    setTyped(null)
    onChange(moved)
    requestAnimationFrame(() => input.current?.setSelectionRange(caret, caret))
  }
  const settle = () => {
    if (shown !== null || text.trim() === '') setTyped(null)
    onBlur?.()
  }
  const today = businessToday()
  const time = shown?.slice(11) || '00:00'
  const dayShown = shown === null || value === null ? null : dayOf(Date.parse(value), zone)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <TextInput
          {...field}
          ref={input}
          description={description ?? zone}
          required={required}
          disabled={disabled}
          aria-label={ariaLabel}
          placeholder="DD.MM.YYYY HH:mm"
          inputMode="numeric"
          autoComplete="off"
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={step}
          onBlur={settle}
          rightSection={
            <ActionIcon
              size="sm"
              disabled={disabled}
              aria-label={t(($) => $.forms.chooseMoment)}
              onClick={() => setOpen(!isOpen)}
            >
              <IconCalendar size={15} />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.presets}>
          <Button variant="default" size="compact-sm" onClick={() => choose(nowToTheMinute())}>
            {t(($) => $.forms.now)}
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => choose(instantOf(today, '00:00', zone))}>
            {t(($) => $.forms.todayStart)}
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => choose(instantOf(addDays(today, -1), '00:00', zone))}
          >
            {t(($) => $.forms.yesterdayStart)}
          </Button>
        </div>
        <Calendar
          from={dayShown}
          to={dayShown}
          onPick={(day) => choose(instantOf(day, time, zone) ?? instantOf(day, '00:00', zone))}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

const MINUTE_MS = 60_000
const nowToTheMinute = (): string => new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS).toISOString()
