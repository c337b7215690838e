// Finds the tables of a tab, and their columns by the headings, wherever they stand.

import { SHEET_COLUMNS, type SheetColumn, type SheetLayout, type SheetMapping } from '@tributary/contract/sheet-mapping'
import {
  type CellValue,
  type Grid,
  headingAt,
  isTotal,
  type Place,
  plainText,
  sharedValueAt,
  valueAt,
  withoutCurrency,
} from './grid.ts'
import { dayOfHeading } from './months.ts'

export interface HeadingOptions {
  /** 'YYYY-MM' */
  readonly month: string
  /** Of the spreadsheet: how its texts write numbers and days. */
  readonly locale: string
  readonly mapping: SheetMapping | null
}

const NAMES: Readonly<Record<SheetColumn, readonly string[]>> = {
  stream: ['stream', 'stream name', 'source', 'channel', 'поток', 'потоки', 'канал', 'источник', 'потік', 'джерело'],
  country: ['country', 'geo', 'страна', 'гео', 'країна', 'гeo'],
  site: ['site', 'site id', 'siteid', 'site_id', 'сайт', 'id сайта', 'id сайту'],
  date: ['date', 'day', 'дата', 'день'],
  sum: ['sum', 'spend', 'amount', 'cost', 'costs', 'сумма', 'расход', 'расходы', 'спенд', 'сума', 'витрати'],
  currency: ['currency', 'валюта'],
  note: ['note', 'notes', 'comment', 'comments', 'комментарий', 'примечание', 'заметка', 'коментар', 'примітка'],
}

/** Fields of which a second column may hold what is meant. */
const MATRIX_FIELDS = ['stream', 'country', 'site', 'currency'] as const
const LEDGER_FIELDS = [...MATRIX_FIELDS, 'date', 'sum'] as const

/** Headings stand in one of these rows. */
const HEADING_ROWS = 30
/** Counters and ids, which are neither names nor days. */
const IGNORED = ['#', 'n', 'no', 'no.', 'id', 'п/п', 'no п/п']

/** Without the heading of a stream, fewer columns of days than these may be figures. */
const LEAST_DAYS = 5

export interface DayColumn {
  readonly column: number
  /** Null: a day that the month does not have. */
  readonly day: string | null
}

/** A second column of a field, which is not read. */
export interface RepeatedColumn {
  readonly at: Place
  readonly first: Place
}

export interface Layout {
  readonly layout: SheetLayout
  /** The lowest row of the headings. */
  readonly row: number
  readonly columns: Readonly<Partial<Record<SheetColumn, Place>>>
  readonly days: readonly DayColumn[]
  readonly repeated: readonly RepeatedColumn[]
  /** Columns that may hold amounts although their headings name no day, and no field of a ledger. */
  isUnknown(column: number): boolean
}

type Columns = Partial<Record<SheetColumn, Place>>

const hasNames = ({ stream, country }: Columns): boolean => stream !== undefined && country !== undefined

export class TableFinder {
  readonly #grid: Grid
  readonly #options: HeadingOptions
  readonly #names: ReadonlyMap<string, readonly SheetColumn[]>

  constructor(grid: Grid, options: HeadingOptions) {
    this.#grid = grid
    this.#options = options
    this.#names = namesOf(options.mapping)
  }

  /** The first table of the tab; undefined: there are no headings of either layout. */
  findFirst(): Layout | undefined {
    const rows = Math.min(this.#grid.rows.length, HEADING_ROWS)
    let isNamed = false
    for (let row = 0; row < rows; row++) {
      const table = this.#ledgerAt(row) ?? this.#matrixAt(row)
      if (table !== undefined) return table
      isNamed ||= hasNames(this.#columnsIn(row))
    }
    // Beneath the names of columns stand rows of spends, whose amounts are no days.
    return isNamed || this.#options.mapping?.layout === 'ledger' ? undefined : this.#findUnnamed(rows)
  }

  /** The further table whose names of columns stand in this row. It may lack days; its amounts cannot be read then. */
  findAt(row: number): Layout | undefined {
    const columns = this.#columnsIn(row)
    if (!hasNames(columns)) {
      // A mapping names the headings of one table; another one may use the usual ones.
      if (this.#options.mapping === null || !hasNames(this.#columnsIn(row, USUAL))) return undefined
      const usual = { ...this.#options.mapping, headings: {} }
      return new TableFinder(this.#grid, { ...this.#options, mapping: usual }).findAt(row)
    }
    const found = this.#ledgerAt(row) ?? this.#matrixAt(row) ?? this.#matrixAt(row + 1) ?? this.#matrixAt(row + 2)
    return found ?? this.#matrix(row, columns, [])
  }

  /** The table that goes on beneath with the days of this row. */
  continueAt(row: number, { columns }: Layout): Layout {
    return this.#matrix(row, columns, this.#daysIn(row))
  }

  #ledgerAt(row: number): Layout | undefined {
    if (this.#options.mapping?.layout === 'matrix') return undefined
    const columns = this.#columnsIn(row)
    if (!hasNames(columns) || columns.date === undefined || columns.sum === undefined) return undefined
    const repeated = this.#repeatedIn(columns, LEDGER_FIELDS)
    const known = [...Object.values(columns), ...repeated.map(({ at }) => at)].map(({ column }) => column)
    const isUnknown = (column: number): boolean => {
      const heading = headingAt(this.#grid, { row, column })
      if (heading === undefined || known.includes(column) || IGNORED.includes(plainText(heading))) return false
      return !isTotal(heading) || USUAL.has(plainHeading(heading))
    }
    return { layout: 'ledger', row, columns, days: [], repeated, isUnknown }
  }

  #matrixAt(row: number): Layout | undefined {
    if (this.#options.mapping?.layout === 'ledger') return undefined
    const days = this.#daysIn(row)
    if (days.length === 0) return undefined
    const own = this.#columnsIn(row)
    const columns = { ...this.#namesAbove(row, 2), ...this.#namesAbove(row, 1), ...own }
    if (!hasNames(columns)) return undefined
    const isHeading = hasNames(own) || isRun(days) || this.#filledAbove(row, row - 2, days) <= 1
    return isHeading ? this.#matrix(row, columns, days) : undefined
  }

  /** Headings of days without names. Amounts that look like days are no run, or stand beneath headings. */
  #findUnnamed(rows: number): Layout | undefined {
    let best: { row: number; days: DayColumn[] } | undefined
    for (let row = 0; row < rows; row++) {
      const days = this.#daysIn(row)
      const isLonger = days.length >= LEAST_DAYS && days.length > (best?.days.length ?? 0)
      if (isLonger && isRun(days) && this.#filledAbove(row, 0, days) <= 1) best = { row, days }
    }
    if (best === undefined) return undefined
    const { row, days } = best
    return this.#matrix(row, { ...columnsBefore(days, row), ...this.#columnsIn(row) }, days)
  }

  #matrix(row: number, { sum, date, ...columns }: Columns, days: readonly DayColumn[]): Layout {
    const repeated = this.#repeatedIn(columns, MATRIX_FIELDS)
    const places = [sum, date, ...Object.values(columns), ...repeated.map(({ at }) => at)]
    const known = new Set(places.flatMap((place) => (place === undefined ? [] : place.column)))
    for (const { column } of days) known.add(column)
    const top = Math.min(row, ...Object.values(columns).map((place) => place.row))
    const isUnknown = (column: number): boolean => {
      if (known.has(column)) return false
      const heading = this.headingOf({ row, top, column })
      return !isTotal(heading) && !IGNORED.includes(plainText(heading))
    }
    return { layout: 'matrix', row, columns, days, repeated, isUnknown }
  }

  /** The lowest text above the rows of a table. */
  headingOf({ row, top, column }: Place & { readonly top: number }): CellValue | undefined {
    for (let at = row; at >= top; at--) {
      const value = sharedValueAt(this.#grid, { row: at, column })
      if (value !== undefined) return value
    }
    return undefined
  }

  /** Names may stand a row or two above the days, with nothing beneath them. A row with something beneath is a row of spends. */
  #namesAbove(row: number, up: number): Columns {
    const columns = this.#columnsIn(row - up)
    const beneath = Array.from({ length: up }, (_, index) => row - index)
    const isEmpty = Object.values(columns).every(({ column }) =>
      beneath.every((at) => valueAt(this.#grid, { row: at, column }) === undefined),
    )
    return isEmpty ? columns : {}
  }

  /** The number of these columns that have a value between row `top` and this row. */
  #filledAbove(row: number, top: number, days: readonly DayColumn[]): number {
    const above = this.#grid.rows.map((_row, index) => index).slice(Math.max(0, top), row)
    return days.filter(({ column }) => above.some((at) => valueAt(this.#grid, { row: at, column }) !== undefined))
      .length
  }

  #columnsIn(row: number, names = this.#names): Columns {
    const found: Columns = {}
    for (const [column, value] of (this.#grid.rows[row] ?? []).entries()) {
      if (typeof value !== 'string' || value === '') continue
      for (const name of names.get(plainHeading(value)) ?? []) found[name] ??= { row, column }
    }
    return found
  }

  #repeatedIn(columns: Columns, fields: readonly SheetColumn[]): RepeatedColumn[] {
    return fields.flatMap((field) => {
      const first = columns[field]
      if (first === undefined) return []
      return (this.#grid.rows[first.row] ?? []).flatMap((value, column) => {
        if (typeof value !== 'string' || column === first.column) return []
        const heading = plainHeading(value)
        // 'Sum USD' beside 'Sum' may be meant, too.
        const names = this.#names.get(heading) ?? this.#names.get(withoutCurrency(heading))
        return names?.includes(field) === true ? [{ at: { row: first.row, column }, first }] : []
      })
    })
  }

  #daysIn(row: number): DayColumn[] {
    const { month, locale } = this.#options
    return (this.#grid.rows[row] ?? []).flatMap((_value, column) => {
      const heading = dayOfHeading(valueAt(this.#grid, { row, column }), month, locale)
      return heading === undefined ? [] : [{ column, day: 'day' in heading ? heading.day : null }]
    })
  }
}

const plainHeading = (value: CellValue): string => plainText(value).replace(/[:*]+$/, '')

/** The columns that a heading may name. */
function namesOf(mapping: SheetMapping | null): Map<string, SheetColumn[]> {
  const found = new Map<string, SheetColumn[]>()
  for (const column of SHEET_COLUMNS) {
    const named = mapping?.headings[column]
    for (const name of named ? [plainHeading(named)] : NAMES[column])
      found.set(name, [...(found.get(name) ?? []), column])
  }
  return found
}
const USUAL = namesOf(null)

/** True if each day of the month follows the one before. */
function isRun(days: readonly DayColumn[]): boolean {
  const numbers = days.flatMap(({ day }) => (day === null ? [] : Number(day.slice(8))))
  return numbers.every((number, index) => index === 0 || number === (numbers[index - 1] ?? 0) + 1)
}

/** Without names: stream and country are the first columns. */
function columnsBefore(days: readonly DayColumn[], row: number): Columns {
  const first = Math.min(...days.map(({ column }) => column))
  return first < 2 ? {} : { stream: { row, column: 0 }, country: { row, column: 1 } }
}

/** The texts of a row, for choosing a mapping. */
export const textsAt = ({ rows }: Grid, row: number): string[] =>
  (rows[row] ?? []).map((value) => String(value).trim()).filter((text) => text !== '' && !/^[\d.]+$/.test(text))

/** The headings of tables, without those that name a day. */
export function headingsOf(grid: Grid, tables: readonly Layout[], { month, locale }: HeadingOptions): string[] {
  const namesDay = (value: CellValue): boolean => dayOfHeading(value, month, locale) !== undefined
  const texts = tables.flatMap(({ row }) => [
    ...textsAt(grid, row - 1),
    ...(grid.rows[row] ?? []).filter((value) => !namesDay(value)).map((value) => String(value).trim()),
  ])
  return [...new Set(texts)].filter((text) => text !== '')
}
