// A number input with a mask. The caret stays behind the typed digit when thousands separators appear before it.
import { TextInput, type TextInputProps } from '@mantine/core'
import { type ChangeEvent, useLayoutEffect, useRef } from 'react'
import { caretAt, clampNumber, cleanNumber, countCharacters, type NumberMask, showNumber } from './number-mask.ts'

type NumberFieldProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  /** Plain digits with a point: '1234.5'. */
  value: string
  mask: NumberMask
  onChange: (clean: string) => void
}

export function NumberField({ value, mask, onChange, onBlur, ...field }: NumberFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)
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
    const { value: text, selectionStart } = event.currentTarget
    caret.current = countCharacters(text.slice(0, selectionStart ?? text.length))
    onChange(cleanNumber(text, mask))
  }
  return (
    <TextInput
      {...field}
      ref={input}
      inputMode={mask.scale === 0 ? 'numeric' : 'decimal'}
      autoComplete="off"
      value={shown}
      onChange={change}
      onBlur={(event) => {
        const clamped = clampNumber(value, mask)
        if (clamped !== value) onChange(clamped)
        onBlur?.(event)
      }}
    />
  )
}
