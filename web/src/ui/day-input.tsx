// One day: typed as DD.MM.YYYY or chosen from a calendar. What is not a day yet is kept while one types and told as an error after.
import { ActionIcon, Popover, TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDay, parseDay } from '../lib/date-format.ts'
import { Calendar } from './calendar.tsx'

interface DayInputProps {
  label?: ReactNode
  ariaLabel?: string | undefined
  value: string | null
  onChange: (day: string | null) => void
  /** What was typed and is no day, for whoever refuses it in words; without it the last day stays. */
  onDraft?: ((text: string) => void) | undefined
  onBlur?: (() => void) | undefined
  description?: ReactNode
  error?: ReactNode
  required?: boolean | undefined
  disabled?: boolean | undefined
}

export function DayInput({
  value,
  onChange,
  onDraft,
  onBlur,
  ariaLabel,
  error,
  required = false,
  disabled = false,
  ...field
}: DayInputProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState<string | null>(null)
  const dayShown = formatDay(value) === null ? null : value
  const settle = () => {
    if (typed !== null && (typed.trim() === '' || parseDay(typed) !== null)) setTyped(null)
    onBlur?.()
  }
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
          required={required}
          disabled={disabled}
          aria-label={ariaLabel}
          placeholder="DD.MM.YYYY"
          error={error ?? (typed !== null && typed !== '' && parseDay(typed) === null && !isOpen)}
          value={typed ?? formatDay(value) ?? value ?? ''}
          onChange={(event) => {
            const text = event.currentTarget.value
            setTyped(text)
            const day = parseDay(text)
            if (day !== null || text.trim() === '') onChange(day)
            else onDraft?.(text)
          }}
          onBlur={settle}
          rightSection={
            <ActionIcon
              size="sm"
              disabled={disabled}
              aria-label={t(($) => $.period.choose)}
              onClick={() => setOpen(!isOpen)}
            >
              <IconCalendar size={15} />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <Popover.Dropdown>
        <Calendar
          from={dayShown}
          to={dayShown}
          onPick={(day) => {
            setTyped(null)
            onChange(day)
            setOpen(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
