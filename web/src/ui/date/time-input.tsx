// A time of day from 00:00 to 23:59. The browser's own field follows the language of the browser, which may be one of a.m. and p.m.
import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maskTime, readTime } from './time-mask.ts'

interface TimeInputProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** 'HH:MM', or empty. */
  value: string
  onChange: (value: string) => void
}

/** Passes on whole times. Any other text stays in the field and is rejected there once it is left; the last time still holds. */
export function TimeInput({ value, onChange, error, ...field }: TimeInputProps) {
  const { t } = useTranslation()
  const [text, setText] = useState<string | null>(null)
  const [isTyping, setTyping] = useState(false)
  const isWrong = text !== null && !isTyping
  return (
    <TextInput
      placeholder="00:00"
      {...field}
      inputMode="numeric"
      maxLength={5}
      value={text ?? value}
      error={error ?? (isWrong ? t(($) => $.period.timeInvalid) : undefined)}
      onChange={({ currentTarget }) => {
        const next = maskTime(currentTarget.value, text ?? value)
        const time = readTime(next)
        setText(time === null ? next : null)
        setTyping(true)
        if (time !== null) onChange(time)
      }}
      onBlur={() => setTyping(false)}
    />
  )
}
