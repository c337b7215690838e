// Links inside the rows of a list: rows have no components of the router, because hundreds are rendered while scrolling.
import { useRouter } from '@tanstack/react-router'
import type { KeyboardEvent, MouseEvent } from 'react'
import { focusSelectionActions } from '../bulk/selection-bar.tsx'

const ROW_LINKS = 'a[data-row]'
const ROW_CHECKS = 'input[data-row-check]'

/** Up and Down move the focus between links of rows, and between their checkboxes; Enter on a checkbox goes to the actions of the selection. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event
  if (!(target instanceof HTMLElement)) return
  const kind = [ROW_LINKS, ROW_CHECKS].find((selector) => target.matches(selector))
  if (kind === ROW_CHECKS && key === 'Enter' && focusSelectionActions()) event.preventDefault()
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
  if (step === 0 || kind === undefined) return
  const places = [...currentTarget.querySelectorAll<HTMLElement>(kind)]
  const next = places[places.indexOf(target) + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}

/** A plain left click navigates inside the page; the browser handles all other clicks. */
export function useFollow(): (event: MouseEvent<HTMLElement>) => void {
  const router = useRouter()
  return (event) => {
    const isOther = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    const link = event.target instanceof Element ? event.target.closest('a') : null
    const href = link?.getAttribute('href')
    if (isOther || !href) return
    event.preventDefault()
    router.history.push(href)
  }
}
