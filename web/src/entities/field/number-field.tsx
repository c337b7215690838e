// A number input with a mask. Pasted text that is no number is rejected in words, never cut down to the digits in it. The caret stays behind the typed digit when thousands separators appear before it.
import { TextInput, type TextInputProps } from '@mantine/core'
import { type ChangeEvent, type ClipboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  caretAt,
  clampNumber,
  cleanNumber,
  countCharacters,
  findPasteLoss,
  isNumberText,
  type NumberMask,
  QUOTED_LETTERS,
  showNumber,
} from './number-mask.ts'

type NumberFieldProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  /** Plain digits with a point: '1234.5'. */
  value: string
  mask: NumberMask
  onChange: (clean: string) => void
}

/** What was pasted or typed, and why it is not in the field. */
interface Rejected {
  readonly text: string
  readonly why: NonNullable<ReturnType<typeof findPasteLoss>> | 'most' | 'least'
}

/** The last row of a filter panel has no room below it. */
const scrollIntoSight = (message: HTMLElement | null): void => message?.scrollIntoView({ block: 'nearest' })

export function NumberField({ value, mask, onChange, onBlur, error, ...field }: NumberFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)
  const { t } = useTranslation()
  const [rejected, setRejected] = useState<Rejected | null>(null)
  const shown = showNumber(value)
  // Restores the caret, which the browser moves to the end when the text changes.
  useLayoutEffect(() => {
    const box = input.current
    if (box === null || caret.current === null || document.activeElement !== box) return
    const at = caretAt(box.value, caret.current)
    box.setSelectionRange(at, at)
    caret.current = null
  })
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    setRejected(null)
    const { value: text, selectionStart } = event.currentTarget
    caret.current = countCharacters(text.slice(0, selectionStart ?? text.length))
    onChange(cleanNumber(text, mask))
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text')
    const why = isNumberText(text) ? findPasteLoss(text, mask) : 'unclear'
    if (why === null) return
    event.preventDefault()
    setRejected({ text: text.trim().slice(0, QUOTED_LETTERS), why })
  }
  return (
    <TextInput
      {...field}
      ref={input}
      inputMode={mask.scale === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={shown}
      onChange={change}
      onPaste={paste}
      error={
        rejected === null
          ? error
          : t(($) => $.engine.rejected[rejected.why], { text: rejected.text, count: mask.scale, bound: shown })
      }
      {...(rejected !== null && { errorProps: { ref: scrollIntoSight } })}
      onBlur={(event) => {
        const clamped = clampNumber(value, mask)
        if (clamped !== value) onChange(clamped)
        if (clamped !== '' && Number(clamped) !== Number(value))
          setRejected({ text: shown.slice(0, QUOTED_LETTERS), why: Number(clamped) < Number(value) ? 'most' : 'least' })
        onBlur?.(event)
      }}
    />
  )
}
