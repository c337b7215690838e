// Where the keys lead in a grid whose first column is a tree. Pure: the grid only does what this says.

export interface Cell {
  /** Place among the rows in sight; the row after the last is the total. */
  readonly row: number
  /** 0 is the tree. */
  readonly column: number
}

export interface GridFacts {
  readonly rows: number
  readonly columns: number
  readonly pageRows: number
  /** Of the row where the cell is: null when nothing is inside it. */
  readonly isOpen: boolean | null
  /** Place in sight of the row above it in the tree, null on the first level. */
  readonly parentRow: number | null
}

export type Step = { readonly to: Cell } | { readonly act: 'toggle' | 'open' | 'menu' }

const clamp = (value: number, last: number) => Math.max(0, Math.min(value, last))

/** Null when the key means nothing here. */
export function stepFor(key: string, isControl: boolean, cell: Cell, facts: GridFacts): Step | null {
  const last = facts.rows
  const lastColumn = facts.columns
  const go = (row: number, column: number): Step => ({
    to: { row: clamp(row, last), column: clamp(column, lastColumn) },
  })
  switch (key) {
    case 'ArrowDown':
      return go(cell.row + 1, cell.column)
    case 'ArrowUp':
      return go(cell.row - 1, cell.column)
    case 'PageDown':
      return go(cell.row + facts.pageRows, cell.column)
    case 'PageUp':
      return go(cell.row - facts.pageRows, cell.column)
    case 'Home':
      return isControl ? go(0, cell.column) : go(cell.row, 0)
    case 'End':
      return isControl ? go(last, cell.column) : go(cell.row, lastColumn)
    case 'ArrowRight':
      return cell.column === 0 && facts.isOpen === false ? { act: 'toggle' } : go(cell.row, cell.column + 1)
    case 'ArrowLeft':
      return stepLeft(cell, facts, go)
    case 'Enter':
    case ' ':
      if (cell.column > 0) return { act: 'open' }
      return facts.isOpen === null ? null : { act: 'toggle' }
    case 'ContextMenu':
      return { act: 'menu' }
    default:
      return null
  }
}

/** In the tree: close, then go to the row above; elsewhere one column back. */
function stepLeft(cell: Cell, facts: GridFacts, go: (row: number, column: number) => Step): Step {
  if (cell.column > 0) return go(cell.row, cell.column - 1)
  if (facts.isOpen === true) return { act: 'toggle' }
  return facts.parentRow === null ? go(cell.row, 0) : go(facts.parentRow, 0)
}
