// Puts the focus at the heading after a navigation, unless the page puts it into a field.

let hasNavigated = false

/** Called before each navigation to another path. */
export function noteNavigation(): void {
  hasNavigated = true
}

/** The heading of the page, which may have the focus. */
export const findHeading = (): HTMLElement | null => document.querySelector<HTMLElement>('main h1 > [tabindex]')

/** Focuses the heading, or else the page, if nothing has the focus after a navigation. Nothing scrolls. */
export function focusHeading(): void {
  if (!hasNavigated || document.activeElement !== document.body) return
  const target = findHeading() ?? document.getElementById('content')
  target?.focus({ preventScroll: true })
}
