// One number: written by its column, greyed when it rests on little, with an arrow when it went up or down.
import { useTranslation } from 'react-i18next'
import { tableClasses } from '../ui/table-frame.tsx'
import type { Direction, PivotColumn } from './pivot-column.ts'
import classes from './pivot-table.module.css'

interface PivotCellProps<R> {
  row: R
  column: PivotColumn<R>
  /** Place of the column in the grid; 0 is the tree. */
  place: number
  /** Set on the cell where the keyboard is. */
  activeId: string | undefined
}

const MINUS = '\u2212'
const ZERO = /^0(\.0+)?$/

export function PivotCell<R>({ row, column, place, activeId }: PivotCellProps<R>) {
  const text = column.text(row)
  const direction = text === null ? null : column.direction(row)
  const tone =
    text === null
      ? classes.dash
      : text.startsWith(MINUS)
        ? classes.negative
        : column.isFaint(row) || ZERO.test(text)
          ? classes.faint
          : undefined
  return (
    <td
      data-column={place}
      id={activeId}
      className={`${tableClasses.number} ${classes.cell} ${column.isSecondary ? classes.secondary : ''} ${activeId ? classes.active : ''}`}
    >
      {direction === null ? null : <Arrow direction={direction} isGood={(direction === 'up') === column.isUpGood} />}
      <span className={tone}>{text ?? '–'}</span>
    </td>
  )
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
