// Inputs of a day, or of a moment in the business zone: typed, or picked from a calendar. Invalid text stays in the input and is
// passed on, so that a form rejects it instead of losing it.
import { ActionIcon, Button, Group, Popover, TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { addDays, dayOf, instantOf, shiftInstant } from '@tributary/contract/period'
import { type ChangeEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  formatDay,
  formatMoment,
  isBeginning,
  maskMoment,
  parseDay,
  parseMoment,
  unitAt,
} from '../../lib/date-format.ts'
import { businessToday, businessZone } from '../../state/profile-facts.ts'
import { LazyDayCalendar } from './lazy-calendar.ts'

interface DateInputProps {
  label?: ReactNode
  ariaLabel?: string | undefined
  /** A date on the wire, or invalid text. */
  value: string | null
  onChange: (value: string | null) => void
  /** Receives invalid text; without it, the input returns to the last date. */
  onDraft?: ((text: string) => void) | undefined
  onBlur?: (() => void) | undefined
  description?: ReactNode
  error?: ReactNode
  required?: boolean | undefined
  disabled?: boolean | undefined
}

interface TypedDateInputProps extends DateInputProps {
  placeholder: string
  chooseLabel: string
  /** Null for text that is no date. */
  format: (value: string | null) => string | null
  parse: (text: string) => string | null
  /** Adds separators to text that is typed at its end. */
  mask?: (text: string) => string
  /** Words shown instead of a value that is not being edited; null for most. */
  wordsOf?: (value: string) => string | null
  /** The value after an arrow key: up is 1, down is -1. Null if there is no date to change. */
  step?: (text: string, position: number, by: 1 | -1) => string | null
  /** The day of the value, which the calendar shows. */
  day: string | null
  onPickDay: (day: string) => void
  /** Buttons above the calendar; a click applies the preset and closes it. */
  presets?: readonly { readonly label: string; readonly value: () => string | null }[]
}

function TypedDateInput({
  value,
  onChange,
  onDraft,
  onBlur,
  ariaLabel,
  error,
  chooseLabel,
  format,
  parse,
  mask = (text) => text,
  step = () => null,
  wordsOf = () => null,
  day,
  onPickDay,
  presets = [],
  required = false,
  disabled = false,
  ...field
}: TypedDateInputProps) {
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState<string | null>(null)
  const [isTyping, setTyping] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isDate = (text: string) => text.trim() === '' || parse(text) !== null
  // The day itself appears while it is edited.
  const words = isFocused || value === null ? null : wordsOf(value)
  const shown = typed ?? words ?? format(value) ?? value ?? ''
  const type = ({ currentTarget: { value: entered, selectionStart } }: ChangeEvent<HTMLInputElement>) => {
    const isAtEnd = entered.length > shown.length && selectionStart === entered.length
    const text = isAtEnd ? mask(entered) : entered
    setTyped(text)
    setTyping(true)
    if (isDate(text)) onChange(parse(text))
    else onDraft?.(text)
  }
  const onKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    const input = event.currentTarget
    const position = input.selectionStart ?? 0
    const moved = step(shown, position, event.key === 'ArrowUp' ? 1 : -1)
    if (moved === null) return
    event.preventDefault()
    setTyped(null)
    onChange(moved)
    requestAnimationFrame(() => input.setSelectionRange(position, position))
  }
  const settle = () => {
    setTyping(false)
    setFocused(false)
    if (typed !== null && isDate(typed)) setTyped(null)
    onBlur?.()
  }
  const pick = (choose: () => void) => {
    setTyped(null)
    setOpen(false)
    choose()
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" withRoles={false}>
      <Popover.Target>
        <TextInput
          {...field}
          required={required}
          disabled={disabled}
          aria-label={ariaLabel}
          autoComplete="off"
          error={error ?? (typed !== null && !isTyping && !isOpen && !isDate(typed))}
          value={shown}
          onChange={type}
          onKeyDown={onKey}
          onFocus={() => setFocused(true)}
          onBlur={settle}
          rightSection={
            <ActionIcon
              size="sm"
              disabled={disabled}
              aria-label={chooseLabel}
              aria-haspopup="dialog"
              aria-expanded={isOpen}
              onClick={() => (isOpen ? setOpen(false) : void LazyDayCalendar.preload().then(() => setOpen(true)))}
            >
              <IconCalendar size={15} />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={chooseLabel}>
        {presets.length === 0 ? null : (
          <Group gap={6} mb={8}>
            {presets.map((preset) => (
              <Button
                key={preset.label}
                variant="default"
                size="compact-xs"
                onClick={() => pick(() => onChange(preset.value()))}
              >
                {preset.label}
              </Button>
            ))}
          </Group>
        )}
        <LazyDayCalendar day={day} onPick={(picked) => pick(() => onPickDay(picked))} />
      </Popover.Dropdown>
    </Popover>
  )
}

export function DayInput(props: DateInputProps) {
  const { t } = useTranslation()
  return (
    <TypedDateInput
      {...props}
      placeholder={t(($) => $.period.dayPattern)}
      chooseLabel={t(($) => $.period.choose)}
      format={formatDay}
      parse={parseDay}
      wordsOf={(day) => (isBeginning(day) ? t(($) => $.values.beginning) : null)}
      day={formatDay(props.value) === null ? null : props.value}
      onPickDay={props.onChange}
    />
  )
}

/** Values are ISO 8601 in UTC. A picked day keeps the time of day. */
export function MomentInput({ onChange, ...props }: Omit<DateInputProps, 'onDraft'>) {
  const { t } = useTranslation()
  const zone = businessZone()
  const shown = formatMoment(props.value, zone)
  const today = businessToday()
  return (
    <TypedDateInput
      {...props}
      onChange={onChange}
      onDraft={onChange}
      description={props.description ?? zone}
      placeholder={t(($) => $.period.momentPattern)}
      chooseLabel={t(($) => $.forms.chooseMoment)}
      format={(value) => formatMoment(value, zone)}
      parse={(text) => parseMoment(text, zone)}
      mask={maskMoment}
      step={(text, position, by) =>
        shown === null || props.value === null ? null : shiftInstant(props.value, unitAt(text, position), by, zone)
      }
      day={shown === null || props.value === null ? null : dayOf(Date.parse(props.value), zone)}
      onPickDay={(day) => onChange(instantOf(day, shown?.slice(11) || '00:00', zone) ?? instantOf(day, '00:00', zone))}
      presets={[
        { label: t(($) => $.forms.now), value: nowToTheMinute },
        { label: t(($) => $.forms.todayStart), value: () => instantOf(today, '00:00', zone) },
        { label: t(($) => $.forms.yesterdayStart), value: () => instantOf(addDays(today, -1), '00:00', zone) },
      ]}
    />
  )
}

const MINUTE_MS = 60_000
const nowToTheMinute = (): string => new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS).toISOString()
