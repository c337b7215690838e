// A column of numbers: its label, explanation and format. The table knows nothing else about its content.

export type Direction = 'up' | 'down'

export const EMPHASES = ['heat', 'bars'] as const
/** Emphasis shows the size of a number by the shade of its cell or by a bar. */
export type Emphasis = (typeof EMPHASES)[number]

/** How a number differs from the one before. */
export interface Change {
  /** Null if they are equal. */
  readonly direction: Direction | null
  /** '24.7 %'; empty if there was hardly any number before. */
  readonly text: string
  /** There was hardly any number before, so that a percentage would say nothing. */
  readonly isNew?: true
  /** The former number in words. */
  readonly was: string
}

/** What is known of the income behind a number: of some days only, or of none. */
export type IncomeState = 'partial' | 'unknown'

export interface PivotColumn<R> {
  readonly key: string
  readonly label: string
  /** The line under the label: the unit, the period. */
  readonly hint: string
  /** The formula of the number, shown when the header is hovered or focused. */
  readonly explain: string
  /** Belongs to the column before it: the same metric in the second period. */
  readonly isSecondary?: boolean
  /** Null = no number. */
  readonly text: (row: R) => string | null
  /** True if too few events make the number unreliable. */
  readonly isFaint?: (row: R) => boolean
  readonly direction?: (row: R) => Direction | null
  /** The change since the second period, shown beside the number. */
  readonly change?: (row: R) => Change | null
  /** The number of the second period, for charts. */
  readonly former?: (row: R) => number | null
  /** False for costs: an increase is bad. */
  readonly isUpGood?: boolean
  /** The numeric value, for emphasis and charts. */
  readonly number?: (row: R) => number | null
  readonly emphasis?: Emphasis | undefined
  /** From -1 to 1: the number divided by the largest of its level. Set by the table. */
  readonly weigh?: ((row: R, depth: number) => number) | undefined
  /** A text column: left-aligned, without drill-down. */
  readonly isText?: true
  /** From 0 to 1: how strongly the cell is tinted. */
  readonly heat?: (row: R) => number | null
  /** Set where income of some days is not reported yet. */
  readonly income?: (row: R) => IncomeState | null
  /** Marks numbers of an unfinished period, or the turning point. */
  readonly mark?: (row: R) => 'partial' | 'turn' | null
}

/** Creates a text column. */
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
/** The label of the sorted column is bold and has an arrow beside it. */
const LABEL_PX = { plain: { letter: 6.4, arrow: 10 }, sorted: { letter: 7.4, arrow: 22 } }
/** Cyrillic letters are wider. */
const CYRILLIC = /[а-яё]/i
const CYRILLIC_FACTOR = 1.14
const HINT_CHAR_PX = 7
const EDGES_PX = 26
/** The mark of a partial number takes as much room. */
const MARK_CHARS = 2
const MAX_TEXT_PX = 220
const MIN_PX = 84
const MAX_PX = 210
/** The change beside a number: letters are smaller, its arrow and gap take the rest. */
const CHANGE_CHAR_PX = 6.3
const CHANGE_EDGES_PX = 17
const CHANGE_MIN_PX = 60
const SAMPLE_ROWS = 200

/** Returns a width for the column's numbers and for half of its label, which may break once. */
export function measureColumn<R>(column: PivotColumn<R>, rows: readonly R[], total: R, isSorted = false): number {
  const sample = [total, ...rows.slice(0, SAMPLE_ROWS)]
  const lengthIn = (row: R): number =>
    (column.text(row)?.length ?? 1) + (column.income?.(row) === 'partial' ? MARK_CHARS : 0)
  const changeIn = (row: R): number => column.change?.(row)?.text.length ?? 0
  const longest = Math.max(...sample.map(lengthIn))
  const changePx = Math.max(CHANGE_MIN_PX, Math.max(...sample.map(changeIn)) * CHANGE_CHAR_PX + CHANGE_EDGES_PX)
  const change = column.change === undefined ? 0 : changePx
  const words = column.label.split(' ').map((word) => word.length)
  const { letter, arrow } = LABEL_PX[isSorted ? 'sorted' : 'plain']
  const letterPx = CYRILLIC.test(column.label) ? letter * CYRILLIC_FACTOR : letter
  const label = Math.max(...words, Math.ceil(column.label.length / 2) + 1) * letterPx + arrow
  const hint = column.hint.length * HINT_CHAR_PX
  const content = Math.max(longest * CHAR_PX + change, label, hint) + EDGES_PX
  return Math.ceil(Math.min(column.isText ? MAX_TEXT_PX : MAX_PX, Math.max(MIN_PX, content)))
}
