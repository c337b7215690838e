// Stands for an element that others have drawn, where Mantine wants to draw it itself.
import { type Ref, type RefObject, useImperativeHandle } from 'react'

interface HookProps {
  at: RefObject<HTMLElement | null>
  /** Given by Mantine, like other props that the element has in its own way. */
  ref?: Ref<HTMLElement | null>
}

export function Hook({ at, ref }: HookProps) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => at.current, [at])
  return null
}
