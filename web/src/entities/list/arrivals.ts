// Rows that arrive above the others push them down. They glide there, so that the eye can follow.
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Row } from './list-query.ts'

const GLIDE = { duration: 240, easing: 'ease-out' } as const
const QUIET = '(prefers-reduced-motion: reduce)'

/** How many rows stand above those that were the first ones; 0 if the list is another one. */
export function countArrived(before: readonly Row[], rows: readonly Row[]): number {
  const known = new Set(before.map(({ id }) => id))
  const place = rows.findIndex(({ id }) => known.has(id))
  const isSame = before.slice(0, rows.length - place).every(({ id }, index) => rows[place + index]?.id === id)
  return place > 0 && isSame ? place : 0
}

/** Scrolled lists are left to the browser, which keeps in place what is read. */
export function useArrivals(
  frame: RefObject<HTMLElement | null>,
  body: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  rowHeight: number,
): void {
  const before = useRef(rows)
  // Starts before the browser paints the rows in their new places.
  useLayoutEffect(() => {
    const arrived = countArrived(before.current, rows)
    before.current = rows
    if (arrived === 0 || frame.current?.scrollTop !== 0 || globalThis.matchMedia(QUIET).matches) return
    body.current?.animate([{ transform: `translateY(${-arrived * rowHeight}px)` }, { transform: 'none' }], GLIDE)
  }, [frame, body, rows, rowHeight])
}
