// Which columns of a wide table are in sight, a few more on either side: the others are not drawn. Changes only when the answer does.
import { type RefObject, useEffect, useState } from 'react'

export interface ColumnWindow {
  /** Places among the columns of numbers; `end` is not in it. */
  readonly start: number
  readonly end: number
}

const SPARE_PX = 240

/** `left` is how far the table is scrolled, `room` the width beside the sticky tree. */
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
  // Follows the box in which the table scrolls. Steps of a hundred pixels are enough, since more is drawn than is in sight.
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
    // Ahead of who draws rows anew on the same event: what is asked here would else have to be laid out first.
    box.addEventListener('scroll', look, { passive: true, capture: true })
    return () => {
      sizes.disconnect()
      box.removeEventListener('scroll', look, { capture: true })
    }
  }, [frame])
  return columnsInSight(widths, position.left, position.room)
}
