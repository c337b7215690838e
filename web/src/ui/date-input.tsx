// A day, or a moment by the clocks of the business zone: typed, or picked from a calendar. Text that is no date stays in the input and is
// passed on as it is, so that a form refuses it instead of forgetting it.
import { ActionIcon, Button, Group, Popover, TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { addDays, dayOf, instantOf } from '@tributary/contract/period'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay, formatMoment, parseDay, parseMoment } from '../lib/date-format.ts'
import { businessToday, businessZone } from '../state/business-zone.ts'
import { LazyDayCalendar } from './lazy-calendar.ts'

interface DateInputProps {
  label?: ReactNode
  ariaLabel?: string | undefined
  /** A date on the wire, or text that is none. */
  value: string | null
  onChange: (value: string | null) => void
  /** Text that is no date; without it the last date stays. */
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
  /** Of the value: what the calendar shows. */
  day: string | null
  onPickDay: (day: string) => void
  /** Above the calendar; picking one closes it. */
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
  const isDate = (text: string) => text.trim() === '' || parse(text) !== null
  const type = (text: string) => {
    setTyped(text)
    setTyping(true)
    if (isDate(text)) onChange(parse(text))
    else onDraft?.(text)
  }
  const settle = () => {
    setTyping(false)
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
          value={typed ?? format(value) ?? value ?? ''}
          onChange={(event) => type(event.currentTarget.value)}
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
      placeholder="DD.MM.YYYY"
      chooseLabel={t(($) => $.period.choose)}
      format={formatDay}
      parse={parseDay}
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
      placeholder="DD.MM.YYYY HH:mm"
      chooseLabel={t(($) => $.forms.chooseMoment)}
      format={(value) => formatMoment(value, zone)}
      parse={(text) => parseMoment(text, zone)}
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
