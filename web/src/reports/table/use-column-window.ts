// The columns of a wide table that are rendered: visible ones and a few on either side. Changes only when the range changes.
import { type RefObject, useEffect, useState } from 'react'

export interface ColumnWindow {
  /** Indices among the columns of numbers; `end` is exclusive. */
  readonly start: number
  readonly end: number
}

const SPARE_PX = 240

/** `left` is the scroll position of the table, `room` the width beside the sticky tree. */
export function columnsInSight(widths: readonly number[], left: number, room: number): ColumnWindow {
  let start = 0
  let edge = 0
  while (start < widths.length && edge + (widths[start] ?? 0) < left - SPARE_PX) {
    edge += widths[start] ?? 0
    start += 1
  }
  let end = start
  while (end < widths.length && edge < left + room + SPARE_PX) {
    edge += widths[end] ?? 0
    end += 1
  }
  return { start, end }
}

export function useColumnWindow(frame: RefObject<HTMLElement | null>, widths: readonly number[]): ColumnWindow {
  const [position, setPosition] = useState({ left: 0, room: 1600 })
  // Follows the scrolling box in steps of 100 pixels, which is fine because more is rendered than is visible.
  useEffect(() => {
    const box = frame.current
    if (!box) return
    const look = () => {
      const left = Math.floor(box.scrollLeft / 100) * 100
      const room = Math.ceil(box.clientWidth / 100) * 100
      setPosition((before) => (before.left === left && before.room === room ? before : { left, room }))
    }
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(box)
    // Runs before other listeners that render rows on the same event: reading sizes after them would force a layout.
    box.addEventListener('scroll', look, { passive: true, capture: true })
    return () => {
      sizes.disconnect()
      box.removeEventListener('scroll', look, { capture: true })
    }
  }, [frame])
  return columnsInSight(widths, position.left, position.room)
}
