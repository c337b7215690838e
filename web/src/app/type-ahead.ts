// Keeps the letters that somebody types after Ctrl+K and before the palette has the focus.

let typed = ''
let onLetter: ((text: string) => void) | null = null

function keep(event: KeyboardEvent): void {
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  event.stopPropagation()
  typed += event.key
  onLetter?.(typed)
}

/** Catches letters until `endTypeAhead`. */
export function startTypeAhead(): void {
  typed = ''
  document.addEventListener('keydown', keep, { capture: true })
}

/** Reports all letters caught so far, now and after each one. */
export function readTypeAhead(listener: (text: string) => void): void {
  onLetter = listener
  if (typed !== '') listener(typed)
}

/** The palette has the focus, or is closed. */
export function endTypeAhead(): void {
  document.removeEventListener('keydown', keep, { capture: true })
  onLetter = null
  typed = ''
}
