// What comes into the page only when it is wanted is opened a moment later: only then does it know where the keyboard was, and the key that
// called it has been heard by everybody, so that it does not count as one pressed outside.
import { useEffect, useState } from 'react'

/** Longer than anything takes to close. */
const GONE_MS = 400

/** Whether it is open now. What is closed before the keyboard has come in gives it back as well, once it is gone. */
export function useLateOpening(isOpen: boolean): boolean {
  const [isThere, setThere] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setThere(true))
    return () => clearTimeout(timer)
  }, [])
  const isOpened = isOpen && isThere
  useEffect(() => {
    if (!isOpened) return
    const from = document.activeElement
    return () => {
      setTimeout(() => {
        const isNowhere = document.activeElement === null || document.activeElement === document.body
        if (isNowhere && from instanceof HTMLElement) from.focus({ preventScroll: true })
      }, GONE_MS)
    }
  }, [isOpened])
  return isOpened
}
