// Reads a tab of a spend sheet: grid → cells by their names, and warnings with their addresses. Pure.

import type { SheetLayout, SheetMapping } from '@tributary/contract/sheet-mapping'
import {
  addressOf,
  type CellValue,
  type Grid,
  isFormulaError,
  isTotal,
  type Place,
  plainText,
  sharedValueAt,
  valueAt,
} from './grid.ts'
import { findLayout, type Layout } from './headings.ts'
import { dayOfCell, isSwappedInto, monthOfTitle } from './months.ts'
import { readSum } from './sheet-sum.ts'
import { type SheetWarning, WARNINGS_CAP, type WarningKey, warningAt } from './sheet-warning.ts'

/** A name with the cell that it stands in. */
export interface Named {
  readonly text: string
  readonly at: Place
}

/** The row of a matrix or the line of a ledger that spends belong to. */
export interface SheetRow {
  readonly stream: Named
  readonly country: Named
  readonly site: Named | null
  readonly currency: Named | null
}

export interface SheetCell {
  readonly row: SheetRow
  readonly at: Place
  readonly date: string
  readonly sum: string
  readonly note: string | null
}

/** A cell that cannot be read. What was taken from it earlier stays. `date` null: any day. */
export interface SparedCell {
  readonly row: SheetRow
  readonly date: string | null
}

export interface TabReading {
  /** Null: the headings are not found, and nothing is read. */
  readonly layout: Layout | null
  readonly kind: SheetLayout | null
  /** Every row that is read, also without a spend. */
  readonly rows: readonly SheetRow[]
  readonly cells: readonly SheetCell[]
  readonly spared: readonly SparedCell[]
  /** Rows with amounts, but without a stream or a country: it is unknown what they stand for. */
  readonly strays: number
  readonly warnings: readonly SheetWarning[]
}

export interface ReadOptions {
  /** 'YYYY-MM' */
  readonly month: string
  /** Of the spreadsheet: how its texts write numbers and days. */
  readonly locale: string
  readonly mapping: SheetMapping | null
}

interface Reader {
  readonly grid: Grid
  readonly options: ReadOptions
  readonly layout: Layout
  readonly rows: SheetRow[]
  readonly cells: SheetCell[]
  readonly spared: SparedCell[]
  readonly warnings: SheetWarning[]
  strays: number
}

export function readTab(grid: Grid, options: ReadOptions): TabReading {
  const layout = findLayout(grid, options.month, options.mapping)
  if (layout === undefined) {
    const warnings = [warningAt(grid, null, 'sheet_layout_unknown')]
    return { layout: null, kind: null, rows: [], cells: [], spared: [], strays: 0, warnings }
  }
  const reader: Reader = { grid, options, layout, rows: [], cells: [], spared: [], warnings: [], strays: 0 }
  const days = layout.layout === 'matrix' ? checkDays(reader) : []
  for (let row = layout.row + 1; row < grid.rows.length; row++) {
    if (layout.layout === 'matrix') readMatrixRow(reader, row, days)
    else readLedgerRow(reader, row)
  }
  const { rows, cells, spared, strays, warnings } = reader
  return { layout, kind: layout.layout, rows, cells, spared, strays, warnings }
}

function warn({ grid, warnings }: Reader, at: Place | null, key: WarningKey, values?: Record<string, string>): void {
  if (warnings.length < WARNINGS_CAP) warnings.push(warningAt(grid, at, key, values))
}

/** The columns of days that can be read. Others are named if they hold anything. */
function checkDays(reader: Reader): { column: number; day: string }[] {
  const { grid, layout, options } = reader
  const seen = new Map<string, Place>()
  return layout.days.flatMap(({ column, day }) => {
    const at = { row: layout.row, column }
    if (day === null) {
      if (hasValues(grid, at))
        warn(reader, at, 'sheet_day_foreign', { day: String(valueAt(grid, at)), month: options.month })
      return []
    }
    const first = seen.get(day)
    if (first !== undefined) {
      warn(reader, at, 'sheet_day_repeated', { day, first: addressOf(first) })
      return []
    }
    seen.set(day, at)
    return [{ column, day }]
  })
}

const hasValues = (grid: Grid, { row, column }: Place): boolean =>
  grid.rows.some((_values, index) => index > row && valueAt(grid, { row: index, column }) !== undefined)

function readMatrixRow(reader: Reader, index: number, days: readonly { column: number; day: string }[]): void {
  const { grid } = reader
  const filled = days.flatMap(({ column, day }) => {
    const at = { row: index, column }
    const value = valueAt(grid, at)
    return value === undefined ? [] : [{ at, day, value }]
  })
  const row = readRow(reader, index, filled[0]?.at)
  if (row === undefined) return
  for (const { at, day, value } of filled) takeCell(reader, { row, at, value, day, note: null })
}

function readLedgerRow(reader: Reader, index: number): void {
  const { grid, layout, options } = reader
  const columns = layout.columns
  const at = placeOf(columns.sum, index)
  const dateAt = placeOf(columns.date, index)
  if (at === undefined || dateAt === undefined) return
  const value = valueAt(grid, at)
  const date = sharedValueAt(grid, dateAt)
  if (isTotal(date)) return
  const row = readRow(reader, index, value === undefined ? undefined : at)
  if (row === undefined || value === undefined) return
  const day = date === undefined ? undefined : dayOfCell(date, options.locale)
  if (day === undefined) {
    warn(reader, dateAt, isFormulaError(date) ? 'sheet_formula_error' : 'sheet_date_invalid', {
      value: String(date ?? ''),
    })
    reader.spared.push({ row, date: null })
    return
  }
  if (!day.startsWith(options.month)) {
    // Without a month in its title, a ledger holds many.
    if (monthOfTitle(grid.title) !== undefined) warn(reader, dateAt, 'sheet_day_foreign', { day, month: options.month })
    else if (date !== undefined && isSwappedInto(date, options.month, options.locale))
      warn(reader, dateAt, 'sheet_day_swapped', { value: String(date), day, month: options.month })
    return
  }
  const note = readName(grid, columns.note, index)
  takeCell(reader, { row, at, value, day, note: note?.text ?? null })
}

const placeOf = (heading: Place | undefined, row: number): Place | undefined =>
  heading && { row, column: heading.column }

function readName(grid: Grid, heading: Place | undefined, row: number): Named | undefined {
  const at = placeOf(heading, row)
  const value = at && sharedValueAt(grid, at)
  return at === undefined || value === undefined ? undefined : { text: String(value), at }
}

/** Undefined: no row of spends. `filled`: a cell of the row that holds an amount. */
function readRow(reader: Reader, index: number, filled: Place | undefined): SheetRow | undefined {
  const { grid, layout, rows } = reader
  const { columns } = layout
  const [stream, country] = [readName(grid, columns.stream, index), readName(grid, columns.country, index)]
  if (isTotal(stream?.text) || isTotal(country?.text) || isTotal(firstText(grid, index))) return undefined
  if (isHeading(grid, columns.stream, stream) && isHeading(grid, columns.country, country)) return undefined
  if (stream === undefined || country === undefined) {
    if (filled === undefined) return undefined
    reader.strays += 1
    const at = placeOf(stream === undefined ? columns.stream : columns.country, index) ?? filled
    warn(reader, at, stream === undefined ? 'sheet_stream_absent' : 'sheet_country_absent')
    return undefined
  }
  const broken = [stream, country].find(({ text }) => isFormulaError(text))
  if (broken !== undefined) {
    reader.strays += 1
    warn(reader, broken.at, 'sheet_formula_error', { value: broken.text })
    return undefined
  }
  const row = {
    stream,
    country,
    site: readName(grid, columns.site, index) ?? null,
    currency: readName(grid, columns.currency, index) ?? null,
  }
  rows.push(row)
  return row
}

const firstText = (grid: Grid, row: number): CellValue | undefined =>
  grid.rows[row]?.map((_value, column) => valueAt(grid, { row, column })).find((value) => value !== undefined)

/** Headings may stand once more further down. */
const isHeading = (grid: Grid, heading: Place | undefined, name: Named | undefined): boolean =>
  heading !== undefined && name !== undefined && plainText(name.text) === plainText(valueAt(grid, heading))

interface Taken {
  readonly row: SheetRow
  readonly at: Place
  readonly value: CellValue
  readonly day: string
  readonly note: string | null
}

function takeCell(reader: Reader, { row, at, value, day, note }: Taken): void {
  const read = isFormulaError(value)
    ? ({ warning: 'sheet_formula_error' } as const)
    : readSum(value, reader.options.locale)
  if ('sum' in read) reader.cells.push({ row, at, date: day, sum: read.sum, note })
  else spare(reader, { row, date: day }, at, read.warning, String(value))
}

function spare(reader: Reader, cell: SparedCell, at: Place, key: WarningKey, value: string): void {
  reader.spared.push(cell)
  warn(reader, at, key, { value })
}
