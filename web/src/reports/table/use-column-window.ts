// Finds the columns of a wide table to render: the visible ones and those within SPARE_PX on either side.
import { type RefObject, useEffect, useState } from 'react'

export interface ColumnWindow {
  /** Indices among the columns of numbers; `end` is exclusive. */
  readonly start: number
  readonly end: number
}

const SPARE_PX = 240

/** `left` is how far the table is scrolled, `width` the width of its frame; both in pixels. */
export function findVisibleColumns(widths: readonly number[], left: number, width: number): ColumnWindow {
  let start = 0
  let edge = 0
  while (start < widths.length && edge + (widths[start] ?? 0) < left - SPARE_PX) {
    edge += widths[start] ?? 0
    start += 1
  }
  let end = start
  while (end < widths.length && edge < left + width + SPARE_PX) {
    edge += widths[end] ?? 0
    end += 1
  }
  return { start, end }
}

export function useColumnWindow(frame: RefObject<HTMLElement | null>, widths: readonly number[]): ColumnWindow {
  const [position, setPosition] = useState({ left: 0, width: 1600 })
  // Follows the scrolling box in steps of 100 pixels, which is fine because more is rendered than is visible.
  useEffect(() => {
    const box = frame.current
    if (!box) return
    const measure = () => {
      const left = Math.floor(box.scrollLeft / 100) * 100
      const width = Math.ceil(box.clientWidth / 100) * 100
      setPosition((before) => (before.left === left && before.width === width ? before : { left, width }))
    }
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(box)
    // Runs before other listeners that render rows on the same event: reading sizes after them would force a layout.
    box.addEventListener('scroll', measure, { passive: true, capture: true })
    return () => {
      sizes.disconnect()
      box.removeEventListener('scroll', measure, { capture: true })
    }
  }, [frame])
  return findVisibleColumns(widths, position.left, position.width)
}
