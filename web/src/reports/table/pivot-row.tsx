// Rows, totals and cells of a pivot table.
import { type CSSProperties, memo, type ReactNode } from 'react'
import { tableClasses } from '../../ui/table-frame.tsx'
import { Arrow, ChangeMark } from './change-mark.tsx'
import { NotReported, PartialMark } from './income-mark.tsx'
import type { PivotColumn } from './pivot-column.ts'
import classes from './pivot-table.module.css'

interface PivotTotalsProps<R> {
  total: R
  label: string
  columns: readonly PivotColumn<R>[]
  /** The row index in the grid: after the last visible row. */
  visibleRow: number
  active: number | null
  gridId: string
}

/** The totals row of a pivot table. The server computes the totals from components; they are never added up here. */
function PivotTotalsPlain<R>({ total, label, columns, visibleRow, active, gridId }: PivotTotalsProps<R>) {
  return (
    <tfoot>
      <tr aria-rowindex={visibleRow + 2} aria-level={1} data-total data-visible-row={visibleRow}>
        <td
          data-column={0}
          aria-colindex={1}
          id={active === 0 ? `${gridId}-active` : undefined}
          className={`${tableClasses.pinned} ${classes.tree} ${classes.totalTitle} ${active === 0 ? classes.active : ''}`}
        >
          {label}
        </td>
        {columns.map((column, at) => (
          <PivotCell
            key={column.key}
            row={total}
            column={column}
            columnIndex={at + 1}
            activeId={active === at + 1 ? `${gridId}-active` : undefined}
          />
        ))}
      </tr>
    </tfoot>
  )
}

// `memo` drops the type parameter, hence the cast.
export const PivotTotals = memo(PivotTotalsPlain) as typeof PivotTotalsPlain

interface PivotRowProps<R> {
  row: R
  /** The index among all rows, by which the table finds the row. */
  index: number
  /** The index among visible rows, for screen readers. */
  visibleRow: number
  depth: number
  /** Null if the row has no children. */
  isOpen: boolean | null
  columns: readonly PivotColumn<R>[]
  /** Only the columns from `start` to `end` are rendered. */
  start: number
  end: number
  titleOf: (row: R, depth: number) => ReactNode
  /** The index of the active cell's column, or null. */
  active: number | null
  gridId: string
  menuLabel: string
  /** Null if rows are not being selected, or this one cannot be. */
  isSelected: boolean | null
  selectLabel: string
  /** False for rows without menu actions. */
  hasMenu: (row: R) => boolean
}

/** One row of a pivot table, rendered again only when its own props change. The table handles clicks by data attributes. */
function PivotRowPlain<R>(props: PivotRowProps<R>) {
  const { row, index, visibleRow, depth, isOpen, columns, start, end, active, gridId } = props
  const first = ['pinned', 'tree', `depth${Math.min(depth, 3)}`, active === 0 ? 'active' : null]
  return (
    <tr
      aria-level={depth + 1}
      aria-rowindex={visibleRow + 2}
      aria-expanded={isOpen ?? undefined}
      data-index={index}
      data-visible-row={visibleRow}
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
          columnIndex={start + at + 1}
          activeId={active === start + at + 1 ? `${gridId}-active` : undefined}
        />
      ))}
      {end < columns.length ? <td colSpan={columns.length - end} aria-hidden /> : null}
    </tr>
  )
}

// `memo` drops the type parameter, hence the cast.
export const PivotRow = memo(PivotRowPlain) as typeof PivotRowPlain

interface PivotCellProps<R> {
  row: R
  column: PivotColumn<R>
  /** The index of the column in the grid; 0 is the tree. */
  columnIndex: number
  /** The level of the row; the total has none and no emphasis. */
  depth?: number
  /** Set on the active cell. */
  activeId: string | undefined
}

const MINUS = '\u2212'
const ZERO = /^0(\.0+)?$/
const PLAIN = `${tableClasses.number} ${classes.cell}`

/**
 * One cell: formatted by its column, grey if it is zero or unreliable, with an arrow if it changed. Thousands are rendered while scrolling:
 * one element and one text node each.
 */
function PivotCell<R>({ row, column, columnIndex, depth, activeId }: PivotCellProps<R>) {
  const text = column.text(row)
  if (column.isText)
    return (
      <td
        data-column={columnIndex}
        aria-colindex={columnIndex + 1}
        id={activeId}
        className={activeId ? `${classes.textCell} ${classes.active}` : classes.textCell}
        title={text ?? undefined}
      >
        <span className={classes.name}>{text}</span>
      </td>
    )
  const direction = text === null ? null : (column.direction?.(row) ?? null)
  const tone = toneOf(column, row, text)
  let className = column.isSecondary ? `${PLAIN} ${classes.secondary}` : PLAIN
  if (tone) className += ` ${tone}`
  if (activeId) className += ` ${classes.active}`
  const mark = text === null ? null : (column.mark?.(row) ?? null)
  if (mark !== null) className += ` ${classes[mark]}`
  const heat = column.heat?.(row) ?? null
  const income = column.income?.(row) ?? null
  const change = text === null ? null : (column.change?.(row) ?? null)
  const was = change?.was
  const weight = depth === undefined ? 0 : (column.weigh?.(row, depth) ?? 0)
  if (weight !== 0) className += ` ${classes[column.emphasis ?? 'heat']}${weight < 0 ? ` ${classes.below}` : ''}`
  const tint = heat === null ? undefined : { backgroundColor: `rgb(var(--heat) / ${(heat * 0.45).toFixed(3)})` }
  return (
    <td
      data-column={columnIndex}
      aria-colindex={columnIndex + 1}
      id={activeId}
      className={className}
      title={was}
      style={weight === 0 ? tint : weightStyle(weight)}
    >
      {direction === null ? null : <Arrow direction={direction} isGood={(direction === 'up') === column.isUpGood} />}
      {text !== null && income === 'partial' ? <PartialMark /> : null}
      {text === null && income === 'unknown' ? <NotReported /> : (text ?? '–')}
      {change === null ? null : <ChangeMark change={change} isUpGood={column.isUpGood === true} />}
      {activeId && was !== undefined ? (
        <span role="tooltip" className={classes.former}>
          {was}
        </span>
      ) : null}
    </td>
  )
}

/** React's types do not allow custom properties. */
const weightStyle = (weight: number) => ({ '--weight': Math.abs(weight).toFixed(3) }) as CSSProperties

function toneOf<R>(column: PivotColumn<R>, row: R, text: string | null): string | undefined {
  if (text === null) return classes.dash
  if (text.startsWith(MINUS)) return classes.negative
  return ZERO.test(text) || column.isFaint?.(row) ? classes.faint : undefined
}
