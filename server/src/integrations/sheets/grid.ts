// A tab of a spreadsheet as it is read: values without formatting, and the merged ranges. Rows may be shorter than the tab is wide.

import type { Merge } from '../../lib/sheet/sheet.ts'

export type CellValue = string | number | boolean

export interface Grid {
  readonly title: string
  /** Google's id of the tab, for links to its cells. */
  readonly id: number
  readonly rows: readonly (readonly CellValue[])[]
  readonly merges: readonly Merge[]
  /** The tab is too large to be read; `rows` is empty. */
  readonly isHuge?: boolean
}

/** Row and column from 0. */
export interface Place {
  readonly row: number
  readonly column: number
}

const LETTERS = 26
const FIRST_LETTER = 65

/** 'C14' of row 13 and column 2. */
export function addressOf({ row, column }: Place): string {
  let letters = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / LETTERS))
    letters = String.fromCharCode(FIRST_LETTER + ((rest - 1) % LETTERS)) + letters
  return `${letters}${row + 1}`
}

/** The value of a cell; undefined: blank. A dash means blank. */
export function valueAt({ rows }: Grid, { row, column }: Place): CellValue | undefined {
  const value = rows[row]?.[column]
  if (typeof value !== 'string') return value
  const text = value.trim()
  return /^[-–—]?$/.test(text) ? undefined : text
}

/** The value of the merged range that covers a blank cell, else of the cell itself. */
export function sharedValueAt(grid: Grid, place: Place): CellValue | undefined {
  const own = valueAt(grid, place)
  if (own !== undefined) return own
  const merge = mergesInRow(grid, place.row).find(
    ({ startColumn, endColumn }) => place.column >= startColumn && place.column < endColumn,
  )
  return merge && valueAt(grid, { row: merge.startRow, column: merge.startColumn })
}

/** The heading of one column, which may be merged downwards, but not with other columns. */
export function headingAt(grid: Grid, place: Place): CellValue | undefined {
  const merge = mergesInRow(grid, place.row).find(({ startColumn }) => startColumn === place.column)
  const isOneColumn = merge !== undefined && merge.endColumn === place.column + 1
  return isOneColumn ? valueAt(grid, { row: merge.startRow, column: place.column }) : valueAt(grid, place)
}

/** Merged ranges of a grid by row: tabs may have thousands. */
const mergesByRow = new WeakMap<Grid, ReadonlyMap<number, readonly Merge[]>>()

function mergesInRow(grid: Grid, row: number): readonly Merge[] {
  const rows = mergesByRow.get(grid) ?? indexMerges(grid)
  mergesByRow.set(grid, rows)
  return rows.get(row) ?? []
}

function indexMerges({ merges, rows }: Grid): Map<number, Merge[]> {
  const found = new Map<number, Merge[]>()
  for (const merge of merges)
    for (let row = merge.startRow; row < Math.min(merge.endRow, rows.length); row++)
      found.set(row, [...(found.get(row) ?? []), merge])
  return found
}

/** For comparing names and headings: without case, and with single spaces. */
export const plainText = (value: CellValue | undefined): string =>
  String(value ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()

const ERRORS =
  /^(?:#(?:REF|N\/A|ERROR|DIV\/0|VALUE|NAME|NUM|NULL|SPILL|CALC|FIELD|BLOCKED|CONNECT|BUSY|UNKNOWN)[!?]?|Err:\d{3}|Loading\.\.\.)$/i
const RUSSIAN_ERRORS = /^#(?:ССЫЛКА|Н\/Д|ДЕЛ\/0|ЗНАЧ|ИМЯ|ЧИСЛО|ПУСТО|ПЕРЕНОС)[!?]?$/i

/** What a formula shows when it fails. */
export const isFormulaError = (value: CellValue | undefined): boolean =>
  typeof value === 'string' && (ERRORS.test(value) || RUSSIAN_ERRORS.test(value))

const TOTAL_MAX = 100
/** The whole text, so that a stream 'Total Media' is none. */
const TOTALS =
  /^(?:(?:grand |sub[- ]?)?totals?(?: (?:sum|spend|for .*|by .*))?|sum|(?:общий )?(?:итого?|всего|разом|усього|підсумок)(?: (?:за|по|сумма) ?.*)?) ?:?$/

const CURRENCIES = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))

/** 'total eur' and 'total, (eur)' → 'total' */
export function withoutCurrency(text: string): string {
  const match = /^(.*?)[\s,:]*\(?([a-z]{3})\)? ?:?$/.exec(text)
  return match?.[1] !== undefined && CURRENCIES.has(match[2] ?? '') ? match[1] : text
}

const SYMBOLS: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP', '₽': 'RUB', '₴': 'UAH' }

/** The currency that ends a heading: 'USD' of 'Sum, USD', 'Sum (usd)' and 'Sum $'. */
export function currencyOfHeading(heading: CellValue): string | undefined {
  const text = plainText(String(heading))
  const symbol = /([€$£₽₴])\)?$/.exec(text)?.[1]
  if (symbol !== undefined) return SYMBOLS[symbol]
  return withoutCurrency(text) === text ? undefined : /([a-z]{3})\)? ?:?$/.exec(text)?.[1]?.toUpperCase()
}

/** True for the heading of a row or column of totals. */
export function isTotal(value: CellValue | undefined): boolean {
  if (typeof value !== 'string' || value.length > TOTAL_MAX) return false
  const text = plainText(value)
  return TOTALS.test(text) || TOTALS.test(withoutCurrency(text))
}
