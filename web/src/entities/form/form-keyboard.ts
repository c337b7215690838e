// What the keyboard does in a form: where it begins, its first invalid field, a record that was just created, and Ctrl/Cmd+S.
import { useEffect, useRef } from 'react'
import { findHeading } from '../../ui/heading-focus.ts'

const FOCUS_TRIES = 30
const FOCUS_PAUSE_MS = 80

/** A new record begins in its first empty field, where there is a keyboard and nothing else has the focus. */
export function useFirstField(isNew: boolean): void {
  useEffect(() => {
    if (!isNew || matchMedia('(pointer: coarse)').matches) return
    const timer = setTimeout(() => {
      if (![document.body, findHeading()].includes(document.activeElement as HTMLElement)) return
      const fields = document.querySelectorAll<HTMLInputElement>(
        'main form input:not([type=hidden], [type=checkbox], [disabled])',
      )
      ;[...fields].find(({ value }) => value === '')?.focus()
    }, FOCUS_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isNew])
}

/** Focuses the first invalid field once its section is rendered, unless the focus has meanwhile moved away from `from`. `within` selects the form. */
export function focusInvalidField(from: Element | null, within = 'form', tries = FOCUS_TRIES): void {
  setTimeout(() => {
    const focused = document.activeElement
    // A disabled button loses its focus to the body.
    if (focused !== from && focused !== document.body) return
    const field = document.querySelector<HTMLElement>(`${within} [aria-invalid="true"]`)
    if (field !== null) field.focus()
    else if (tries > 1) focusInvalidField(from, within, tries - 1)
  }, FOCUS_PAUSE_MS)
}

/** A created record begins at what is done with it first, such as copying its link, or else at its title, unless the focus is already elsewhere. */
export function focusCreated(tries = FOCUS_TRIES): void {
  setTimeout(() => {
    const title = findHeading()
    if (![document.body, title].includes(document.activeElement as HTMLElement)) return
    const first = document.querySelector<HTMLElement>('main [data-first-act] button:last-child')
    ;(first ?? title)?.focus({ preventScroll: first === null })
    if (first === null && tries > 1) focusCreated(tries - 1)
  }, FOCUS_PAUSE_MS)
}

/** Saves by Ctrl/Cmd+S, wherever the focus is. */
export function useSaveKey(onSave: () => void): void {
  const handler = useRef(onSave)
  // Uses the newest handler, and listens to the keys of the whole page.
  useEffect(() => {
    handler.current = onSave
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.code !== 'KeyS') return
      event.preventDefault()
      handler.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
