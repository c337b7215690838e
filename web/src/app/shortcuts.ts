// Keys that work everywhere: Ctrl/Cmd+K opens the palette, `/` goes to the page's search, `g` and a letter to an area.
import { useEffect, useEffectEvent } from 'react'
import { AREA_LETTERS, type Area } from './navigation.ts'

interface ShortcutActions {
  openPalette: () => void
  openArea: (area: Area) => void
}

const PAUSE_MS = 1200

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

export function useShortcuts({ openPalette, openArea }: ShortcutActions): void {
  const onPalette = useEffectEvent(openPalette)
  const onArea = useEffectEvent(openArea)
  // Follows the keyboard of the whole page.
  useEffect(() => {
    let goAt = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.code === 'KeyK') {
        event.preventDefault()
        onPalette()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const letter = event.code.startsWith('Key') ? event.code.slice(3).toLowerCase() : event.key
      const area = AREA_LETTERS[letter]
      if (event.timeStamp - goAt < PAUSE_MS && area) {
        goAt = Number.NEGATIVE_INFINITY
        onArea(area)
      } else if (letter === 'g') goAt = event.timeStamp
      else if (event.key === '/') focusSearch(event)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** A screen marks its search input with `data-search`. */
function focusSearch(event: KeyboardEvent): void {
  const input = document.querySelector<HTMLInputElement>('input[data-search]')
  if (!input) return
  event.preventDefault()
  input.focus()
  input.select()
}
