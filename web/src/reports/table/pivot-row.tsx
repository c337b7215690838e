// One row of a pivot table. Drawn again only when something of its own changes; what is pressed is found by the table from the data attributes.
import { memo, type ReactNode } from 'react'
import { tableClasses } from '../../ui/table-frame.tsx'
import { PivotCell } from './pivot-cell.tsx'
import type { PivotColumn } from './pivot-column.ts'
import classes from './pivot-table.module.css'

interface PivotRowProps<R> {
  row: R
  /** Place among all rows, by which the table finds it again. */
  index: number
  /** Place in sight, for screen readers. */
  place: number
  depth: number
  /** Null when nothing is inside. */
  isOpen: boolean | null
  columns: readonly PivotColumn<R>[]
  /** The columns from `start` to `end` are drawn. */
  start: number
  end: number
  titleOf: (row: R, depth: number) => ReactNode
  /** The column where the keyboard is, or null. */
  active: number | null
  gridId: string
  menuLabel: string
  /** Null = rows are not being chosen, or not this one. */
  isSelected: boolean | null
  selectLabel: string
  /** Rows that the menu can do nothing with have none. */
  hasMenu: (row: R) => boolean
}

function PivotRowPlain<R>(props: PivotRowProps<R>) {
  const { row, index, place, depth, isOpen, columns, start, end, active, gridId } = props
  const first = ['pinned', 'tree', `depth${Math.min(depth, 3)}`, active === 0 ? 'active' : null]
  return (
    <tr
      aria-level={depth + 1}
      aria-rowindex={place + 2}
      aria-expanded={isOpen ?? undefined}
      data-index={index}
      data-place={place}
      className={depth === 0 ? classes.root : undefined}
    >
      <td
        data-column={0}
        aria-colindex={1}
        id={active === 0 ? `${gridId}-active` : undefined}
        className={first.map((name) => (name === 'pinned' ? tableClasses.pinned : name && classes[name])).join(' ')}
      >
        <span className={classes.title}>
          <span
            className={isOpen === null ? classes.chevron : `${classes.chevron} ${isOpen ? classes.open : classes.shut}`}
          />
          {props.isSelected === null ? null : (
            <input
              type="checkbox"
              tabIndex={-1}
              data-select
              readOnly
              className={classes.check}
              checked={props.isSelected}
              aria-label={props.selectLabel}
            />
          )}
          <span className={classes.name}>{props.titleOf(row, depth)}</span>
          {props.hasMenu(row) ? (
            <button type="button" tabIndex={-1} data-menu className={classes.menu} aria-label={props.menuLabel} />
          ) : null}
        </span>
      </td>
      {start > 0 ? <td colSpan={start} aria-hidden /> : null}
      {columns.slice(start, end).map((column, at) => (
        <PivotCell
          key={column.key}
          row={row}
          column={column}
          depth={depth}
          place={start + at + 1}
          activeId={active === start + at + 1 ? `${gridId}-active` : undefined}
        />
      ))}
      {end < columns.length ? <td colSpan={columns.length - end} aria-hidden /> : null}
    </tr>
  )
}

// `memo` forgets that the component is generic.
export const PivotRow = memo(PivotRowPlain) as typeof PivotRowPlain
