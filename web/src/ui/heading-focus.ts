// After a navigation the focus is where the page begins: at its heading, unless the page itself puts it into a field.

let isExpected = false

/** Called before each navigation to another path. */
export function expectHeading(): void {
  isExpected = true
}

/** The heading of the page, which may have the focus. */
export const findHeading = (): HTMLElement | null => document.querySelector<HTMLElement>('main h1 > [tabindex]')

/** Focuses the heading, or else the page, if a navigation left nothing with the focus. Nothing scrolls. */
export function focusHeading(): void {
  if (!isExpected || document.activeElement !== document.body) return
  const target = findHeading() ?? document.getElementById('content')
  target?.focus({ preventScroll: true })
}
