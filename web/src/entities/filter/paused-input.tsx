// A text input that commits after a pause in typing, on Enter and on blur.
import { TextInput, type TextInputProps } from '@mantine/core'
import { SEARCH_DELAY_MS } from '@tributary/contract/limits'
import { useEffect, useRef, useState } from 'react'

type PausedInputProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  value: string
  onCommit: (text: string) => void
}

export function PausedInput({ value, onCommit, ...field }: PausedInputProps) {
  const { shown, type, settle, leave } = usePausedText(value, onCommit)
  return (
    <TextInput
      {...field}
      value={shown}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle(event.currentTarget.value)
      }}
      onBlur={(event) => leave(event.currentTarget.value)}
    />
  )
}

/** What an input shows while somebody types. A text is committed after a pause, or at once by `settle`; `leave` also ends the typing. */
export function usePausedText(value: string, onCommit: (text: string) => void) {
  const [typed, setTyped] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const commit = useRef(onCommit)
  // Uses the newest handler, so that a late timer does not act on an old list.
  useEffect(() => {
    commit.current = onCommit
  })
  // Cancels the timer when the input unmounts.
  useEffect(() => () => clearTimeout(timer.current), [])
  const settle = (text: string) => {
    clearTimeout(timer.current)
    if (text.trim() !== value) commit.current(text.trim())
  }
  const type = (text: string) => {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => settle(text), SEARCH_DELAY_MS)
  }
  const leave = (text: string) => {
    settle(text)
    setTyped(null)
  }
  return { shown: typed ?? value, type, settle, leave }
}
