// The types of a table in a file of any format: rows of texts in order, read in batches.

/** Cells by column; '' for an empty cell. */
export interface SheetRow {
  /** Line number in the file; the first row is 1. */
  readonly line: number
  readonly cells: readonly string[]
  /** The cell was written as a number: its text is plain digits, or digits with an exponent. */
  readonly isNumber: readonly boolean[]
  /** Columns whose formula has no stored result; absent: none. */
  readonly uncalculated?: readonly number[]
}

/** A merged range: half-open, from 0. */
export interface Merge {
  readonly startRow: number
  readonly endRow: number
  readonly startColumn: number
  readonly endColumn: number
}

export interface Sheet {
  /** Days of dates written as numbers are counted from 1904 instead of 1900. */
  readonly is1904: boolean
  /** Titles of the visible tabs; empty for a format without tabs. */
  readonly tabs: readonly string[]
  /** Yields the rows of a tab, else of the first one. May throw SheetFailure after some rows; then these must be discarded. */
  rows(tab?: number): AsyncIterable<readonly SheetRow[]>
  /** In the order of their first rows. */
  merges(tab?: number): Promise<readonly Merge[]>
  /** Between 0 and 1. */
  progress(): number
  close(): Promise<void>
}

/** Maximum number of columns; further ones are ignored. */
export const COLUMN_CAP = 256
/** Excel's maximum number of characters in a cell. */
export const CELL_CAP = 32_767
export const ROW_CAP = 1_048_576
/** Maximum number of merged ranges of a tab. */
export const MERGES_CAP = 100_000

/** Why a file cannot be read as a table. People are told of the kind; the detail is for the log. */
export type SheetFault = 'wrong_format' | 'too_complex'

export class SheetFailure extends Error {
  override readonly name = 'SheetFailure'
  readonly fault: SheetFault

  constructor(fault: SheetFault, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.fault = fault
  }
}
