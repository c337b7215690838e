// The handle at the edge of a header cell: resizes the column by mouse or arrow keys.
import type { KeyboardEvent, PointerEvent } from 'react'
import classes from './column-grip.module.css'

const KEY_STEP = 16

interface ColumnGripProps {
  label: string
  hint: string
  /** Receives the wanted width in pixels. */
  onResize: (width: number) => void
}

export function ColumnGrip({ label, hint, onResize }: ColumnGripProps) {
  const widthOf = (grip: HTMLElement) => grip.parentElement?.getBoundingClientRect().width ?? 0
  const start = (event: PointerEvent<HTMLButtonElement>) => {
    const grip = event.currentTarget
    const from = event.clientX
    const width = widthOf(grip)
    event.preventDefault()
    grip.setPointerCapture(event.pointerId)
    grip.onpointermove = (move) => onResize(width + move.clientX - from)
    grip.onlostpointercapture = () => {
      grip.onpointermove = null
    }
  }
  const step = (event: KeyboardEvent<HTMLButtonElement>) => {
    const by = event.key === 'ArrowRight' ? KEY_STEP : event.key === 'ArrowLeft' ? -KEY_STEP : 0
    if (by === 0) return
    event.preventDefault()
    onResize(widthOf(event.currentTarget) + by)
  }
  return (
    <button
      type="button"
      className={classes.grip}
      aria-label={label}
      title={hint}
      onPointerDown={start}
      onKeyDown={step}
    />
  )
}
