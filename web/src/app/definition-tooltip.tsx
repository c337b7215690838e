// The tooltip of all definitions. One for each mark would cost a form as much time as its fields.
import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'

const OPEN_DELAY_MS = 150

const markOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-definition]') : null

export function DefinitionTooltip() {
  const [mark, setMark] = useState<HTMLElement | null>(null)
  // Marks are also in drawers and menus, which lie outside of the frame.
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let next: HTMLElement | null = null
    const show = (found: HTMLElement | null, delay: number) => {
      if (found === next) return
      next = found
      clearTimeout(timer)
      if (found === null) setMark(null)
      else timer = setTimeout(() => setMark(found), delay)
    }
    const onOver = (event: PointerEvent) => {
      if (event.pointerType !== 'touch') show(markOf(event.target), OPEN_DELAY_MS)
    }
    const onClick = (event: MouseEvent) => show(markOf(event.target), 0)
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') show(null, 0)
    }
    document.addEventListener('pointerover', onOver)
    document.addEventListener('click', onClick)
    document.addEventListener('keydown', onKey)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointerover', onOver)
      document.removeEventListener('click', onClick)
      document.removeEventListener('keydown', onKey)
    }
  }, [])
  if (mark === null) return null
  return <Tooltip target={mark} label={mark.dataset.definition} maw={320} opened />
}
