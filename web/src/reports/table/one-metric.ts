// What a report shows on a narrow screen: one metric, and the swipe that asks for another.
import type { PivotColumn } from './pivot-column.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

/** Metrics, each with its number of the second period if that has a column. */
export function metricsOf<R>(columns: readonly PivotColumn<R>[]): PivotColumn<R>[][] {
  const metrics: PivotColumn<R>[][] = []
  for (const column of columns) {
    const last = metrics.at(-1)
    if (column.isSecondary === true && last !== undefined) last.push(column)
    else if (column.isText !== true) metrics.push([column])
  }
  return metrics
}

const SWIPE_PX = 48

/** 1 for a swipe to the left, which asks for the next metric; null if the finger scrolled or tapped. */
export function swipeOf(from: Point, to: Point): 1 | -1 | null {
  const [across, down] = [to.x - from.x, to.y - from.y]
  if (Math.abs(across) < SWIPE_PX || Math.abs(across) < 2 * Math.abs(down)) return null
  return across < 0 ? 1 : -1
}
