// Finds the layout of a tab and its columns by their headings, wherever they stand.

import { SHEET_COLUMNS, type SheetColumn, type SheetLayout, type SheetMapping } from '@tributary/contract/sheet-mapping'
import { type Grid, type Place, plainText, valueAt } from './grid.ts'
import { dayOfHeading } from './months.ts'

const NAMES: Readonly<Record<SheetColumn, readonly string[]>> = {
  stream: ['stream', 'stream name', 'source', 'channel', 'поток', 'потоки', 'канал', 'источник', 'потік', 'джерело'],
  country: ['country', 'geo', 'страна', 'гео', 'країна', 'гeo'],
  site: ['site', 'site id', 'siteid', 'site_id', 'сайт', 'id сайта', 'id сайту'],
  date: ['date', 'day', 'дата', 'день'],
  sum: ['sum', 'spend', 'amount', 'cost', 'costs', 'сумма', 'расход', 'расходы', 'спенд', 'сума', 'витрати'],
  currency: ['currency', 'валюта'],
  note: ['note', 'notes', 'comment', 'comments', 'комментарий', 'примечание', 'заметка', 'коментар', 'примітка'],
}

/** Headings stand in one of these rows. */
const HEADING_ROWS = 30
/** Without the heading of a stream, fewer columns of days than these may be figures. */
const LEAST_DAYS = 5

export interface DayColumn {
  readonly column: number
  /** Null: a day that the month does not have. */
  readonly day: string | null
}

export interface Layout {
  readonly layout: SheetLayout
  /** The lowest row of the headings. */
  readonly row: number
  readonly columns: Readonly<Partial<Record<SheetColumn, Place>>>
  readonly days: readonly DayColumn[]
}

type Columns = Partial<Record<SheetColumn, Place>>

/** Undefined: there are no headings of either layout. */
export function findLayout(grid: Grid, month: string, mapping: SheetMapping | null): Layout | undefined {
  const rows = Math.min(grid.rows.length, HEADING_ROWS)
  const wanted = mapping?.layout ?? null
  const ledger = wanted === 'matrix' ? undefined : findLedger(grid, rows, mapping)
  return ledger ?? (wanted === 'ledger' ? undefined : findMatrix(grid, rows, month, mapping))
}

function findLedger(grid: Grid, rows: number, mapping: SheetMapping | null): Layout | undefined {
  for (let row = 0; row < rows; row++) {
    const columns = columnsIn(grid, row, mapping)
    const { stream, country, date, sum } = columns
    if (stream && country && date && sum) return { layout: 'ledger', row, columns, days: [] }
  }
  return undefined
}

function findMatrix(grid: Grid, rows: number, month: string, mapping: SheetMapping | null): Layout | undefined {
  let best: { row: number; days: DayColumn[]; columns: Columns } | undefined
  for (let row = 0; row < rows; row++) {
    const days = daysIn(grid, row, month)
    if (days.length === 0) continue
    const columns = {
      ...namesAbove(grid, row, 2, mapping),
      ...namesAbove(grid, row, 1, mapping),
      ...columnsIn(grid, row, mapping),
    }
    const isNamed = columns.stream !== undefined && columns.country !== undefined
    if (isNamed) return { layout: 'matrix', row, columns: matrixColumns(columns), days }
    if (days.length >= LEAST_DAYS && days.length > (best?.days.length ?? 0)) best = { row, days, columns }
  }
  if (best === undefined) return undefined
  const columns = matrixColumns({ ...columnsBefore(best.days, best.row), ...best.columns })
  return { layout: 'matrix', row: best.row, days: best.days, columns }
}

/** Names may stand a row or two above the days, with nothing beneath them. A row with something beneath is a row of spends. */
function namesAbove(grid: Grid, row: number, up: number, mapping: SheetMapping | null): Columns {
  const columns = columnsIn(grid, row - up, mapping)
  const isEmpty = Object.values(columns).every(({ column }) => valueAt(grid, { row, column }) === undefined)
  return isEmpty ? columns : {}
}

/** Without the columns of sums and dates, which a matrix does not have. */
const matrixColumns = ({ sum: _sum, date: _date, ...columns }: Columns): Columns => columns

/** Without names: stream and country are the first columns. */
function columnsBefore(days: readonly DayColumn[], row: number): Columns {
  const first = Math.min(...days.map(({ column }) => column))
  return first < 2 ? {} : { stream: { row, column: 0 }, country: { row, column: 1 } }
}

function columnsIn(grid: Grid, row: number, mapping: SheetMapping | null): Columns {
  const found: Columns = {}
  const width = grid.rows[row]?.length ?? 0
  for (const name of SHEET_COLUMNS) {
    const named = mapping?.headings[name]
    const names = named ? [plainText(named)] : NAMES[name]
    for (let column = 0; column < width && found[name] === undefined; column++) {
      const text = plainText(valueAt(grid, { row, column })).replace(/[:*]+$/, '')
      if (text !== '' && names.includes(text)) found[name] = { row, column }
    }
  }
  return found
}

function daysIn(grid: Grid, row: number, month: string): DayColumn[] {
  return (grid.rows[row] ?? []).flatMap((_value, column) => {
    const heading = dayOfHeading(valueAt(grid, { row, column }), month)
    return heading === undefined ? [] : [{ column, day: 'day' in heading ? heading.day : null }]
  })
}

/** The texts of the row of headings and of the row above, for choosing a mapping. */
export function headingsOf(grid: Grid, row: number): string[] {
  const texts = [grid.rows[row - 1] ?? [], grid.rows[row] ?? []].flat().map((value) => String(value).trim())
  return [...new Set(texts.filter((text) => text !== '' && !/^[\d.]+$/.test(text)))]
}
