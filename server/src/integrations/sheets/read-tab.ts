// Reads a tab of a spend sheet: grid → cells by their names, and warnings with their addresses. Pure.

import type { SheetLayout } from '@tributary/contract/sheet-mapping'
import {
  addressOf,
  type CellValue,
  currencyOfHeading,
  type Grid,
  headingAt,
  isFormulaError,
  isTotal,
  type Place,
  sharedValueAt,
  valueAt,
} from './grid.ts'
import { type HeadingOptions, type Layout, TableFinder } from './headings.ts'
import {
  dayOfCell,
  dayOfHeading,
  daysOfMonth,
  isDateHeading,
  isSwappedInto,
  monthOfTitle,
  showValue,
} from './months.ts'
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
  /** The place of its table among the tables of the tab. */
  readonly table: number
  /** Its amounts may be days: if its names are unknown, it may be the headings of a further table. */
  readonly isLikeHeadings: boolean
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

/** A column with amounts that are not read, because its heading names no day. */
export interface LeftColumn {
  readonly cell: string
  readonly heading: string
  /** It is left out without a warning: by the mapping, or beside the column of sums of a ledger. */
  readonly isIgnored: boolean
}

export interface TabReading {
  /** Of the first table. Null: the headings are not found, and nothing is read. */
  readonly layout: Layout | null
  readonly tables: readonly Layout[]
  readonly kind: SheetLayout | null
  /** Every row that is read, also without a spend. */
  readonly rows: readonly SheetRow[]
  readonly cells: readonly SheetCell[]
  readonly spared: readonly SparedCell[]
  /** Rows with amounts, but without a stream or a country: it is unknown what they stand for. */
  readonly strays: number
  /** Days that a column with an unreadable heading may stand for. Spends of these days stay. */
  readonly unreadDays: ReadonlySet<string>
  /** True if rows were left out because their days are unclear. Nothing is removed then. */
  readonly isPartial: boolean
  readonly left: readonly LeftColumn[]
  readonly warnings: readonly SheetWarning[]
}

export type ReadOptions = HeadingOptions

/** A table while it is read. */
interface Table {
  readonly layout: Layout
  /** The columns of days that can be read. */
  readonly days: readonly { readonly column: number; readonly day: string }[]
  /** Columns without a known heading that hold amounts. */
  readonly unknown: Set<number>
  /** True if what stands in it cannot belong to its days. */
  isUnclear: boolean
}

interface Reader {
  readonly grid: Grid
  readonly options: ReadOptions
  readonly tables: Layout[]
  table: Table
  readonly rows: SheetRow[]
  readonly cells: SheetCell[]
  readonly spared: SparedCell[]
  readonly unreadDays: Set<string>
  readonly left: LeftColumn[]
  readonly warnings: SheetWarning[]
  strays: number
  isPartial: boolean
}

export function readTab(grid: Grid, options: ReadOptions): TabReading {
  const finder = new TableFinder(grid, options)
  const first = finder.findFirst()
  if (first === undefined) {
    const warnings = [warningAt(grid, null, 'sheet_layout_unknown')]
    const nothing = {
      rows: [],
      cells: [],
      spared: [],
      strays: 0,
      unreadDays: new Set<string>(),
      isPartial: false,
      left: [],
    }
    return { layout: null, kind: null, tables: [], ...nothing, warnings }
  }
  const reader: Reader = {
    ...{ grid, options, tables: [], rows: [], cells: [], spared: [], unreadDays: new Set(), left: [], warnings: [] },
    table: { layout: first, days: [], unknown: new Set(), isUnclear: false },
    strays: 0,
    isPartial: false,
  }
  open(reader, first)
  for (let row = first.row + 1; row < grid.rows.length; row++) {
    const next = finder.findAt(row) ?? continuedAt(reader, finder, row)
    if (next !== undefined) {
      close(reader)
      open(reader, next)
      row = next.row
    } else if (reader.table.isUnclear) continue
    else if (reader.table.layout.layout === 'matrix') readMatrixRow(reader, row)
    else readLedgerRow(reader, row)
  }
  close(reader)
  const { tables, rows, cells, spared, strays, unreadDays, isPartial, left, warnings } = reader
  const kind = first.layout
  return { layout: first, kind, tables, rows, cells, spared, strays, unreadDays, isPartial, left, warnings }
}

function warn({ grid, warnings }: Reader, at: Place | null, key: WarningKey, values?: Record<string, string>): void {
  if (warnings.length < WARNINGS_CAP) warnings.push(warningAt(grid, at, key, values))
}

function open(reader: Reader, layout: Layout): void {
  reader.tables.push(layout)
  reader.table = { layout, days: readDays(reader, layout), unknown: new Set(), isUnclear: false }
  const { grid, options, left } = reader
  for (const { at, first } of layout.repeated) {
    if (!hasValues(grid, at)) continue
    const heading = String(valueAt(grid, at) ?? '')
    const isIgnored = options.mapping?.ignored?.includes(heading) === true
    left.push({ cell: addressOf(at), heading, isIgnored })
    if (!isIgnored) warn(reader, at, 'sheet_column_repeated', { heading, first: addressOf(first) })
  }
}

/** Names the columns with amounts whose headings are unknown. Only a heading that is exactly an ignored one is left without a warning. */
function close(reader: Reader): void {
  const { grid, options, table, left } = reader
  const { row } = table.layout
  let isWhole = true
  for (const column of [...table.unknown].sort((a, b) => a - b)) {
    const at = { row, column }
    const heading = headingAt(grid, at)
    const isNamed = heading !== undefined && options.mapping?.ignored?.includes(String(heading)) === true
    const isIgnored = isNamed || table.layout.layout === 'ledger'
    if (heading !== undefined) left.push({ cell: addressOf(at), heading: String(heading), isIgnored })
    if (isIgnored) continue
    isWhole = false
    if (heading === undefined) warn(reader, at, 'sheet_heading_absent')
    else warn(reader, at, 'sheet_heading_unknown', { heading: showValue(heading) })
  }
  if (!isWhole) keepUnreadDays(reader, table.days)
}

function keepUnreadDays({ options, unreadDays }: Reader, read: Table['days']): void {
  const known = new Set(read.map(({ day }) => day))
  for (const day of daysOfMonth(options.month)) if (!known.has(day)) unreadDays.add(day)
}

/** The columns of days that can be read. Others are named if they hold anything. */
function readDays(reader: Reader, layout: Layout): Table['days'] {
  const { grid, options } = reader
  const seen = new Map<string, Place>()
  let isWhole = true
  const days = layout.days.flatMap(({ column, day }) => {
    const at = { row: layout.row, column }
    if (day === null) {
      if (!hasValues(grid, at)) return []
      isWhole = false
      warn(reader, at, 'sheet_day_foreign', { day: showValue(valueAt(grid, at) ?? ''), month: options.month })
      return []
    }
    const first = seen.get(day)
    if (first !== undefined) {
      isWhole = false
      warn(reader, at, 'sheet_day_repeated', { day, first: addressOf(first) })
      return []
    }
    seen.set(day, at)
    return [{ column, day }]
  })
  if (!isWhole) keepUnreadDays(reader, days)
  return days
}

const hasValues = (grid: Grid, { row, column }: Place): boolean =>
  grid.rows.some((_values, index) => index > row && valueAt(grid, { row: index, column }) !== undefined)

interface DayCell {
  readonly at: Place
  readonly day: string
  readonly value: CellValue
}

const dayCellsIn = ({ grid, table }: Reader, row: number): DayCell[] =>
  table.days.flatMap(({ column, day }) => {
    const at = { row, column }
    const value = valueAt(grid, at)
    return value === undefined ? [] : [{ at, day, value }]
  })

/** The days that the cells of a row may name; null: they are amounts. */
function headingDays({ options }: Reader, cells: readonly DayCell[]): string[] | null {
  if (cells.length < 2) return null
  const days = cells.map(({ value }) => {
    const heading = dayOfHeading(value, options.month, options.locale)
    return heading !== undefined && 'day' in heading ? heading.day : ''
  })
  return days.every((day, index) => day > (days[index - 1] ?? '')) ? days : null
}

/** A row of days without names goes on with other days. If it may as well hold amounts, what stands beneath is left out. */
function continuedAt(reader: Reader, finder: TableFinder, row: number): Layout | undefined {
  const { grid, options, table } = reader
  const { layout } = table
  if (layout.layout !== 'matrix') return undefined
  const isNamed = [layout.columns.stream, layout.columns.country].some(
    (heading) => heading !== undefined && sharedValueAt(grid, { row, column: heading.column }) !== undefined,
  )
  if (isNamed || isTotal(firstText(grid, row))) return undefined
  const cells = dayCellsIn(reader, row)
  const days = headingDays(reader, cells)
  if (days === null) return undefined
  if (cells.every(({ value }) => isDateHeading(value, options.month))) return finder.continueAt(row, layout)
  const [first] = cells
  const isSame = cells.every(({ day }, index) => day === days[index])
  const isApart = firstText(grid, row - 1) === undefined
  if (first !== undefined && !isSame && isApart && !table.isUnclear) {
    table.isUnclear = true
    reader.isPartial = true
    warn(reader, first.at, 'sheet_headings_unclear')
  }
  return undefined
}

function readMatrixRow(reader: Reader, index: number): void {
  const filled = dayCellsIn(reader, index)
  const days = headingDays(reader, filled)
  const isLikeHeadings = days !== null && filled.some(({ day }, place) => day !== days[place])
  const row = readRow(reader, index, filled[0]?.at, isLikeHeadings)
  if (row === undefined) return
  for (const { at, day, value } of filled) takeCell(reader, { row, at, value, day, note: null })
  noteUnknownColumns(reader, index)
}

function noteUnknownColumns({ grid, options, table }: Reader, row: number): void {
  for (const column of (grid.rows[row] ?? []).keys()) {
    if (table.unknown.has(column)) continue
    const value = valueAt(grid, { row, column })
    if (value === undefined || typeof value === 'boolean' || !table.layout.isUnknown(column)) continue
    const isAmount = typeof value === 'number' || 'sum' in readSum(value, options.locale)
    if (isAmount || isFormulaError(value)) table.unknown.add(column)
  }
}

function readLedgerRow(reader: Reader, index: number): void {
  const { grid, options } = reader
  const { columns } = reader.table.layout
  const at = placeOf(columns.sum, index)
  const dateAt = placeOf(columns.date, index)
  if (at === undefined || dateAt === undefined) return
  const value = valueAt(grid, at)
  const date = sharedValueAt(grid, dateAt)
  if (isTotal(date)) return
  const row = readRow(reader, index, value === undefined ? undefined : at, false)
  if (row !== undefined) noteUnknownColumns(reader, index)
  if (row === undefined || value === undefined) return
  const day = date === undefined ? undefined : dayOfCell(date, options.locale)
  if (day === undefined) {
    if (date === undefined) warn(reader, dateAt, 'sheet_date_absent', { row: String(index + 1) })
    else
      warn(reader, dateAt, isFormulaError(date) ? 'sheet_formula_error' : 'sheet_date_invalid', { value: String(date) })
    reader.spared.push({ row, date: null })
    return
  }
  if (!day.startsWith(options.month)) {
    // Without a month in its title, a ledger holds many.
    const isSwapped = date !== undefined && isSwappedInto(date, options.month, options.locale)
    if (monthOfTitle(grid.title) !== undefined) warn(reader, dateAt, 'sheet_day_foreign', { day, month: options.month })
    else if (isSwapped) warn(reader, dateAt, 'sheet_day_swapped', { value: showValue(date), day, month: options.month })
    if (isSwapped) reader.spared.push({ row, date: null })
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
function readRow(
  reader: Reader,
  index: number,
  filled: Place | undefined,
  isLikeHeadings: boolean,
): SheetRow | undefined {
  const { grid, table, tables, rows } = reader
  const { columns } = table.layout
  const [stream, country] = [readName(grid, columns.stream, index), readName(grid, columns.country, index)]
  if (isTotal(stream?.text) || isTotal(country?.text) || isTotal(firstText(grid, index))) return undefined
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
    currency: readName(grid, columns.currency, index) ?? currencyOfSums(grid, columns.sum) ?? null,
    table: tables.length - 1,
    isLikeHeadings,
  }
  rows.push(row)
  return row
}

/** The currency that the heading of a ledger's sums names. */
function currencyOfSums(grid: Grid, at: Place | undefined): Named | undefined {
  const text = at && currencyOfHeading(sharedValueAt(grid, at) ?? '')
  return at === undefined || text === undefined ? undefined : { text, at }
}

const firstText = (grid: Grid, row: number): CellValue | undefined =>
  grid.rows[row]?.map((_value, column) => valueAt(grid, { row, column })).find((value) => value !== undefined)

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
