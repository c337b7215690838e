// Finds targets that are too small for a finger.
import type { Page } from '@playwright/test'

/** Visible targets in the main part and the top bar of a page whose touched area is less than 44 by 44 px. Links in text are exempt. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const LEAST = 43.5
    const TARGETS =
      'a[href], button, input, select, textarea, summary, [role="button"], [role="tab"], [role="menuitem"]'
    const areaOf = (element: Element) => {
      // A label belongs to the area of its box; so does an invisible layer of the element.
      const label =
        element instanceof HTMLInputElement && /checkbox|radio/.test(element.type) ? element.labels?.[0] : null
      const boxes = [element, ...(label ? [label] : [])].map((one) => one.getBoundingClientRect())
      const layer = getComputedStyle(element, '::after')
      const own = element.getBoundingClientRect()
      const isLayer = layer.content !== 'none' && layer.position === 'absolute'
      const width = isLayer ? Number.parseFloat(layer.width) : own.width
      const height = isLayer ? Number.parseFloat(layer.height) : own.height
      return {
        width: Math.max(width, ...boxes.map((box) => box.width)),
        height: Math.max(height, ...boxes.map((box) => box.height)),
      }
    }
    const isInText = (element: Element) =>
      element instanceof HTMLAnchorElement &&
      getComputedStyle(element).display === 'inline' &&
      getComputedStyle(element, '::after').content === 'none'
    return [...document.querySelectorAll(TARGETS)].flatMap((element) => {
      const own = element.getBoundingClientRect()
      const { visibility } = getComputedStyle(element)
      const isSeen =
        own.width > 1 && own.height > 1 && visibility !== 'hidden' && element.closest('[hidden], [inert]') === null
      const isSkip = element.getAttribute('href') === '#content'
      if (!isSeen || isSkip || isInText(element)) return []
      const { width, height } = areaOf(element)
      if (width >= LEAST && height >= LEAST) return []
      const name = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)
      return [
        `${element.tagName.toLowerCase()}.${element.className.toString().split(' ').at(-1)} '${name}' ${Math.round(width)}x${Math.round(height)}`,
      ]
    })
  })
