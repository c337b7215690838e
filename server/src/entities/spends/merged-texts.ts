// Texts of merged cells: a file holds the text of a range in its first cell only.

import type { Merge, SheetRow } from '../../lib/sheet/sheet.ts'

interface OpenMerge extends Merge {
  readonly text: string
  readonly isNumber: boolean
}

export class MergedTexts {
  readonly #merges: readonly Merge[]
  #next = 0
  #open: readonly OpenMerge[] = []

  /** `merges`: in the order of their first rows. */
  constructor(merges: readonly Merge[]) {
    this.#merges = merges
  }

  /** Rows come in order; blank ones may be left out. */
  enter({ line, cells, isNumber }: SheetRow): void {
    const row = line - 1
    if (this.#open.length > 0) this.#open = this.#open.filter(({ endRow }) => endRow > row)
    for (;;) {
      const merge = this.#merges[this.#next]
      if (merge === undefined || merge.startRow > row) return
      this.#next += 1
      const text = merge.startRow === row ? (cells[merge.startColumn] ?? '').trim() : ''
      if (text !== '' && merge.endRow > row)
        this.#open = [...this.#open, { ...merge, text, isNumber: isNumber[merge.startColumn] === true }]
    }
  }

  /** The range that covers this column of the current row. */
  find(column: number): Pick<OpenMerge, 'text' | 'isNumber'> | undefined {
    return this.#open.find(({ startColumn, endColumn }) => column >= startColumn && column < endColumn)
  }
}

export const NO_MERGES = new MergedTexts([])
