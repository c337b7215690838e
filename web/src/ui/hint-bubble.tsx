// The bubble of a hint. Escape takes it away.
import { Tooltip } from '@mantine/core'
import { type ReactNode, type RefObject, useEffect } from 'react'

interface HintBubbleProps {
  id: string
  target: RefObject<HTMLElement | null>
  label: ReactNode
  isShown: boolean
  onClose: () => void
  position?: 'top' | 'right'
  maw?: number
}

export function HintBubble({ id, target, label, isShown, onClose, ...look }: HintBubbleProps) {
  // Follows the keyboard while the bubble is there: the focus is elsewhere.
  useEffect(() => {
    if (!isShown) return
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') onClose()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isShown, onClose])
  return (
    <Tooltip
      {...look}
      target={target}
      opened={isShown}
      label={<span id={id}>{label}</span>}
      styles={{ tooltip: { overflowWrap: 'anywhere' } }}
    />
  )
}
