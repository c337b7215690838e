// The end of a line that still moves: hatched, as cells of a period that is not over are.
import { DataContext } from '@visx/xychart'
import { useContext, useId } from 'react'

/** Days of a year stand closer than a hatch can be seen. */
const LEAST_WIDTH = 6

interface RunningPartProps {
  /** Places on the axis; without a first one, what the last alone takes. */
  from: string | undefined
  to: string | undefined
}

export function RunningPart({ from, to }: RunningPartProps) {
  const { xScale, innerHeight = 0, margin } = useContext(DataContext)
  const pattern = useId()
  // Only an axis of places, rather than of quantities, says how wide they are.
  const places = xScale !== undefined && 'bandwidth' in xScale ? xScale : null
  const placeOf = (at = ''): number => Number(places?.(at) ?? Number.NaN)
  const [start, end] = [placeOf(from ?? to), placeOf(to)]
  if (!(Number.isFinite(start) && Number.isFinite(end)) || innerHeight <= 0) return null
  const width = Math.max(LEAST_WIDTH, end - start)
  return (
    <>
      <defs>
        <pattern id={pattern} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line y2={6} stroke="var(--text-quiet)" strokeWidth={1.5} strokeOpacity={0.5} />
        </pattern>
      </defs>
      <rect x={end - width} y={margin?.top ?? 0} width={width} height={innerHeight} fill={`url(#${pattern})`} />
    </>
  )
}
