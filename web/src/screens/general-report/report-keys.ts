// Keys of the report: `g` and nothing after it opens the grouping, `c` the comparison. `/` goes to the search like on every screen.
import { useEffect } from 'react'

/** `g` with a letter after it leads to an area: so long is waited for the letter. */
const PAUSE_MS = 700

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

export function useReportKeys(): void {
  // Follows the keyboard of the whole page.
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const press = (name: string) => document.querySelector<HTMLElement>(`[data-report-key="${name}"]`)?.click()
    const onKey = (event: KeyboardEvent) => {
      const isAfterG = waiting !== undefined
      clearTimeout(waiting)
      waiting = undefined
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('[role="dialog"], [role="menu"]')) return
      if (event.code === 'KeyG') {
        waiting = setTimeout(() => {
          waiting = undefined
          press('group')
        }, PAUSE_MS)
      } else if (event.code === 'KeyC' && !isAfterG) press('compare')
    }
    document.addEventListener('keydown', onKey)
    return () => {
      clearTimeout(waiting)
      document.removeEventListener('keydown', onKey)
    }
  }, [])
}
