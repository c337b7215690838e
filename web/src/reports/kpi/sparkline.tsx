// A line of the size of a word. It has no axes: the tile beside it shows the number, and the report behind it shows all.
import type { CSSProperties } from 'react'
import classes from './kpi-tiles.module.css'

const WIDTH = 120
const HEIGHT = 28
const EDGE = 2

export interface SparkPoint {
  /** Null: a gap. */
  readonly value: number | null
  /** An unfinished period: the line to it is dashed. */
  readonly isRunning: boolean
}

/** The path through the points from `from` to `to`, with a gap where there is no number. */
export function sparkPath(points: readonly SparkPoint[], from = 0, to = points.length): string {
  const values = points.flatMap(({ value }) => (value === null ? [] : [value]))
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const x = (place: number) => EDGE + (place * (WIDTH - 2 * EDGE)) / Math.max(1, points.length - 1)
  const y = (value: number) => HEIGHT - EDGE - ((value - low) * (HEIGHT - 2 * EDGE)) / (high - low || 1)
  let isDrawing = false
  return points
    .map(({ value }, place) => {
      const isShown = value !== null && place >= from && place < to
      const step = isShown ? `${isDrawing ? 'L' : 'M'}${x(place).toFixed(1)} ${y(value).toFixed(1)}` : ''
      isDrawing = isShown
      return step
    })
    .join('')
}

export function Sparkline({ points, style }: { points: readonly SparkPoint[]; style?: CSSProperties }) {
  const running = points.findIndex(({ isRunning }) => isRunning)
  const end = running < 0 ? points.length : running
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      style={style}
      aria-hidden
    >
      <path d={sparkPath(points, 0, end)} />
      {running < 0 ? null : <path d={sparkPath(points, Math.max(0, running - 1), running + 1)} strokeDasharray="3 3" />}
    </svg>
  )
}
