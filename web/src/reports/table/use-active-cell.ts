// The active cell of a grid. The grid keeps the focus and refers to the cell by id, so that its row may leave the page on scroll.
import { type KeyboardEvent, type RefObject, useState } from 'react'

export interface Cell {
  /** The index among visible rows; the row after the last is the total. */
  readonly row: number
  /** 0 is the tree. */
  readonly column: number
}

export interface GridState {
  readonly rows: number
  readonly columns: number
  readonly pageRows: number
  /** The state of the active row; null if it has no children. */
  readonly isOpen: boolean | null
  /** The visible index of the parent row; null on the first level. */
  readonly parentRow: number | null
}

export type Step = { readonly to: Cell } | { readonly act: 'toggle' | 'open' | 'menu' }

const clamp = (value: number, last: number) => Math.max(0, Math.min(value, last))

/** The step of a key in a grid whose first column is a tree; the grid carries it out. Null if the key has no effect here. */
export function stepFor(key: string, isControl: boolean, cell: Cell, grid: GridState): Step | null {
  const last = grid.rows
  const lastColumn = grid.columns
  const go = (row: number, column: number): Step => ({
    to: { row: clamp(row, last), column: clamp(column, lastColumn) },
  })
  switch (key) {
    case 'ArrowDown':
      return go(cell.row + 1, cell.column)
    case 'ArrowUp':
      return go(cell.row - 1, cell.column)
    case 'PageDown':
      return go(cell.row + grid.pageRows, cell.column)
    case 'PageUp':
      return go(cell.row - grid.pageRows, cell.column)
    case 'Home':
      return isControl ? go(0, cell.column) : go(cell.row, 0)
    case 'End':
      return isControl ? go(last, cell.column) : go(cell.row, lastColumn)
    case 'ArrowRight':
      return cell.column === 0 && grid.isOpen === false ? { act: 'toggle' } : go(cell.row, cell.column + 1)
    case 'ArrowLeft':
      return stepLeft(cell, grid, go)
    case 'Enter':
    case ' ':
      if (cell.column > 0) return { act: 'open' }
      return grid.isOpen === null ? null : { act: 'toggle' }
    case 'ContextMenu':
      return { act: 'menu' }
    default:
      return null
  }
}

/** In the tree: closes the row, or else goes to its parent; elsewhere one column to the left. */
function stepLeft(cell: Cell, grid: GridState, go: (row: number, column: number) => Step): Step {
  if (cell.column > 0) return go(cell.row, cell.column - 1)
  if (grid.isOpen === true) return { act: 'toggle' }
  return grid.parentRow === null ? go(cell.row, 0) : go(grid.parentRow, 0)
}

function stepBeyond(key: string, { column }: Cell, { columns }: GridState): 1 | -1 | null {
  if (key === 'ArrowRight' && column === columns) return 1
  return key === 'ArrowLeft' && column === 1 ? -1 : null
}

interface ActiveCellOptions {
  frame: RefObject<HTMLElement | null>
  gridId: string
  gridStateAt: (row: number) => GridState
  act: (what: 'toggle' | 'open' | 'menu', row: number, column: number, element: Element | null) => void
  scrollTo: (row: number) => void
  /** Asked for by an arrow key beyond the outermost number; false if nothing is there. */
  onBeyond?: ((step: 1 | -1) => boolean) | undefined
}

export function useActiveCell({ frame, gridId, gridStateAt, act, scrollTo, onBeyond }: ActiveCellOptions) {
  const [active, setActive] = useState<Cell | null>(null)

  const onKeyDown = (event: KeyboardEvent) => {
    // Buttons inside the grid handle their own keys.
    if (event.target !== event.currentTarget) return
    const cell = active ?? { row: 0, column: 0 }
    const grid = gridStateAt(cell.row)
    // Most keyboards lack a menu key; Shift+F10 replaces it.
    const key = event.key === 'F10' && event.shiftKey ? 'ContextMenu' : event.key
    const beyond = active === null ? null : stepBeyond(key, active, grid)
    if (beyond !== null && onBeyond?.(beyond) === true) {
      event.preventDefault()
      return
    }
    const step = stepFor(key, event.ctrlKey || event.metaKey, cell, grid)
    if (step === null) return
    event.preventDefault()
    if ('act' in step) {
      // A menu that this key opens would take the key for one pressed outside it, and close.
      if (step.act === 'menu') event.stopPropagation()
      setActive(cell)
      act(step.act, cell.row, cell.column, document.getElementById(`${gridId}-active`))
      return
    }
    // The first key only shows the active cell.
    const to = active === null ? cell : step.to
    setActive(to)
    if (to.row < grid.rows) scrollTo(to.row)
    scrollAcross(frame.current, to.column)
  }
  return { active, setActive, onKeyDown }
}

/** Scrolls a column out from under the sticky tree. */
function scrollAcross(frame: HTMLElement | null, column: number): void {
  const heads = frame?.querySelectorAll<HTMLElement>('thead th')
  const head = heads?.[column]
  const tree = heads?.[0]
  if (!frame || !head || !tree) return
  if (column === 0) {
    frame.scrollLeft = 0
    return
  }
  const left = head.offsetLeft - tree.offsetWidth
  const right = head.offsetLeft + head.offsetWidth - frame.clientWidth
  if (frame.scrollLeft > left) frame.scrollLeft = left
  else if (frame.scrollLeft < right) frame.scrollLeft = right
}
