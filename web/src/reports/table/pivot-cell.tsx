// One number: written by its column, greyed when it is nothing or rests on little, with an arrow when it went up or down.
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { tableClasses } from '../../ui/table-frame.tsx'
import type { Direction, PivotColumn } from './pivot-column.ts'
import classes from './pivot-table.module.css'

interface PivotCellProps<R> {
  row: R
  column: PivotColumn<R>
  /** Place of the column in the grid; 0 is the tree. */
  place: number
  /** Level of the row; the total has none and no emphasis. */
  depth?: number
  /** Set on the cell where the keyboard is. */
  activeId: string | undefined
}

const MINUS = '\u2212'
const ZERO = /^0(\.0+)?$/
const PLAIN = `${tableClasses.number} ${classes.cell}`

// Drawn by the thousand while one scrolls: one element, one text.
export function PivotCell<R>({ row, column, place, depth, activeId }: PivotCellProps<R>) {
  const text = column.text(row)
  if (column.isText)
    return (
      <td
        data-column={place}
        aria-colindex={place + 1}
        id={activeId}
        className={activeId ? `${classes.textCell} ${classes.active}` : classes.textCell}
        title={text ?? undefined}
      >
        <span className={classes.name}>{text}</span>
      </td>
    )
  const direction = text === null ? null : column.direction(row)
  const tone = toneOf(column, row, text)
  let className = column.isSecondary ? `${PLAIN} ${classes.secondary}` : PLAIN
  if (tone) className += ` ${tone}`
  if (activeId) className += ` ${classes.active}`
  const mark = text === null ? null : (column.mark?.(row) ?? null)
  if (mark !== null) className += ` ${classes[mark]}`
  const heat = column.heat?.(row) ?? null
  const weight = depth === undefined ? 0 : (column.weigh?.(row, depth) ?? 0)
  if (weight !== 0) className += ` ${classes[column.emphasis ?? 'heat']}${weight < 0 ? ` ${classes.below}` : ''}`
  const tint = heat === null ? undefined : { backgroundColor: `rgb(var(--heat) / ${(heat * 0.45).toFixed(3)})` }
  return (
    <td
      data-column={place}
      aria-colindex={place + 1}
      id={activeId}
      className={className}
      style={weight === 0 ? tint : weightStyle(weight)}
    >
      {direction === null ? null : <Arrow direction={direction} isGood={(direction === 'up') === column.isUpGood} />}
      {text ?? '–'}
    </td>
  )
}

/** A custom property, which React's own types do not know. */
const weightStyle = (weight: number) => ({ '--weight': Math.abs(weight).toFixed(3) }) as CSSProperties

function toneOf<R>(column: PivotColumn<R>, row: R, text: string | null): string | undefined {
  if (text === null) return classes.dash
  if (text.startsWith(MINUS)) return classes.negative
  return ZERO.test(text) || column.isFaint(row) ? classes.faint : undefined
}

function Arrow({ direction, isGood }: { direction: Direction; isGood: boolean }) {
  const { t } = useTranslation('reports')
  const word = t(($) => $.arrows[direction])
  return (
    <span
      role="img"
      aria-label={word}
      title={word}
      className={`${classes.arrow} ${isGood ? classes.good : classes.bad}`}
    >
      {direction === 'up' ? '▲' : '▼'}
    </span>
  )
}
