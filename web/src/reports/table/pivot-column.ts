// A column of numbers: how it is called, explained and written. The table knows nothing else about what it shows.

export type Direction = 'up' | 'down'

export const EMPHASES = ['heat', 'bars'] as const
/** How large a number is, told by the shade of its cell or by a bar in it. */
export type Emphasis = (typeof EMPHASES)[number]

export interface PivotColumn<R> {
  readonly key: string
  readonly label: string
  /** Under the label: the unit, the period. */
  readonly hint: string
  /** How the number is made, shown when the header is pointed at or focused. */
  readonly explain: string
  /** Belongs to the column before it: the same number in another period. */
  readonly isSecondary?: boolean
  /** Null = no number. */
  readonly text: (row: R) => string | null
  /** Too few events for the number to mean much. */
  readonly isFaint?: (row: R) => boolean
  readonly direction?: (row: R) => Direction | null
  /** A cost that goes up is bad news. */
  readonly isUpGood?: boolean
  /** The number itself, for emphasis and charts. */
  readonly number?: (row: R) => number | null
  readonly emphasis?: Emphasis | undefined
  /** From -1 to 1: the number as a share of the largest of its level. Set by the table. */
  readonly weigh?: ((row: R, depth: number) => number) | undefined
  /** Words instead of a number: from the left, nothing to open. */
  readonly isText?: true
  /** From 0 to 1: how strongly the cell is tinted. */
  readonly heat?: (row: R) => number | null
  /** A number of days that are not over, or the one that the eye should find. */
  readonly mark?: (row: R) => 'partial' | 'turn' | null
}

/** A column of words. */
export const textColumn = <R>(key: string, label: string, text: (row: R) => string | null): PivotColumn<R> => ({
  key,
  label,
  hint: '',
  explain: '',
  text,
  isText: true,
})

export interface PivotSort {
  readonly by: string
  readonly desc: boolean
}

const CHAR_PX = 7.7
const LABEL_CHAR_PX = 6.4
const HINT_CHAR_PX = 7
const EDGES_PX = 26
const ARROW_PX = 10
const MAX_TEXT_PX = 220
const MIN_PX = 84
const MAX_PX = 190
const SAMPLE_ROWS = 200

/** Wide enough for the numbers that it holds and for half of its label, which may break once. */
export function measureColumn<R>(column: PivotColumn<R>, rows: readonly R[], total: R): number {
  let longest = column.text(total)?.length ?? 1
  for (const row of rows.slice(0, SAMPLE_ROWS)) longest = Math.max(longest, column.text(row)?.length ?? 1)
  const words = column.label.split(' ').map((word) => word.length)
  const label = Math.max(...words, Math.ceil(column.label.length / 2) + 1) * LABEL_CHAR_PX + ARROW_PX
  const hint = column.hint.length * HINT_CHAR_PX
  const content = Math.max(longest * CHAR_PX, label, hint) + EDGES_PX
  return Math.ceil(Math.min(column.isText ? MAX_TEXT_PX : MAX_PX, Math.max(MIN_PX, content)))
}
