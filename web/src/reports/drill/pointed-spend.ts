// The spend under the mouse in the table of a report. What it says is loaded when it is needed.
import { useState } from 'react'
import type { PivotPlace, PointedNumber } from '../table/pivot-table.tsx'
import type { DrillTarget } from './drill-target.ts'

export interface PointedSpend {
  readonly target: DrillTarget
  /** The middle of the cell's upper edge in the window. */
  readonly at: { readonly x: number; readonly y: number }
}

/** Returns the spend under the mouse, and what a table calls when the mouse moves. */
export function usePointedSpend(targetOf: (place: PivotPlace, key: string) => DrillTarget | null) {
  const [pointed, setPointed] = useState<PointedSpend | null>(null)
  const point = (number: PointedNumber | null) => {
    const isSpend = number?.column.key === 's' || number?.column.key === 's_2'
    const target = isSpend ? targetOf(number.place, number.column.key) : null
    if (number === null || target === null) return setPointed(null)
    const { left, width, top } = number.element.getBoundingClientRect()
    setPointed({ target, at: { x: left + width / 2, y: top } })
  }
  return [pointed, point] as const
}
