// The types of a table in a file of any format: rows of texts in order, read in batches.

/** Cells by column; '' for an empty cell. */
export interface SheetRow {
  /** Line number in the file; the first row is 1. */
  readonly line: number
  readonly cells: readonly string[]
  /** The cell was written as a number: its text is plain digits, or digits with an exponent. */
  readonly isNumber: readonly boolean[]
}

export interface Sheet {
  /** Days of dates written as numbers are counted from 1904 instead of 1900. */
  readonly is1904: boolean
  /** Yields the rows. May throw SheetFailure after some rows; then these must be discarded. */
  rows(): AsyncIterable<readonly SheetRow[]>
  /** Between 0 and 1. */
  progress(): number
  close(): Promise<void>
}

/** Maximum number of columns; further ones are ignored. */
export const COLUMN_CAP = 256
/** Excel's maximum number of characters in a cell. */
export const CELL_CAP = 32_767
export const ROW_CAP = 1_048_576

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
