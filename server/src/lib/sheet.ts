// Writes a table as a file while its rows are read, so that memory does not grow with their number. Cells never contain formulas:
// text that a spreadsheet would evaluate gets an apostrophe.

import { Readable } from 'node:stream'
import { XLSX_ROWS_CAP } from '@tributary/contract/limits'
import { writeCsvStream } from 'hucre/csv'
import { writeXlsxStream } from 'hucre/xlsx'
import { Temporal } from 'temporal-polyfill'

export type SheetFormat = 'xlsx' | 'csv'

/** `number`: decimals are texts, exact in csv. `day`: 'YYYY-MM-DD'. `month`: begins with 'YYYY-MM', in xlsx a date. `moment`: ISO 8601, written in the sheet's time zone. */
export type CellKind = 'text' | 'number' | 'day' | 'month' | 'moment'

/** Value of a cell; null = empty. */
export type SheetCell = string | number | boolean | null
export type SheetRow = readonly SheetCell[]

export interface SheetColumn {
  readonly header: string
  readonly kind: CellKind
}

export interface Sheet {
  /** Name of the sheet and, with the day, of the file. */
  readonly title: string
  readonly columns: readonly SheetColumn[]
  /** Batches of rows, read while the file is sent and closed early if the client disconnects. */
  readonly batches: AsyncIterable<readonly SheetRow[]>
  /** Number of rows; null if unknown. */
  readonly total: number | null
  /** Time zone of moments. */
  readonly zone: string
  /** Sentences below the last row. */
  readonly notes?: readonly string[]
}

export interface SheetProgress {
  rows: number
}

/** Excel sheets have at most 1,048,576 rows; longer ones become csv. */
export const chooseFormat = (requested: SheetFormat, total: number | null): SheetFormat =>
  (total ?? 0) > XLSX_ROWS_CAP ? 'csv' : requested

/** Counts `progress.rows` up while rows are written. */
export function writeSheet(sheet: Sheet, format: SheetFormat, progress: SheetProgress = { rows: 0 }): Readable {
  const rows = readRows(sheet, format, progress)
  const stream = format === 'csv' ? writeCsv(sheet, rows) : writeXlsx(sheet, rows)
  return Readable.from(readChunks(stream.getReader()), { objectMode: false })
}

interface Reader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>
  cancel(): Promise<void>
}

async function* readChunks(reader: Reader): AsyncGenerator<Uint8Array> {
  try {
    for (let next = await reader.read(); !next.done && next.value !== undefined; next = await reader.read())
      yield next.value
  } finally {
    await reader.cancel()
  }
}

const writeCsv = ({ columns }: Sheet, rows: AsyncIterable<Cell[]>) =>
  // The byte order mark tells Excel that the text is UTF-8.
  writeCsvStream(rows, { headers: columns.map(({ header }) => neutralise(header)), bom: true })

const NUMBER_FORMATS: Readonly<Partial<Record<CellKind, string>>> = {
  day: 'yyyy-mm-dd',
  month: 'mmmm yyyy',
  moment: 'yyyy-mm-dd hh:mm:ss',
}

const writeXlsx = ({ title, columns }: Sheet, rows: AsyncIterable<Cell[]>) =>
  writeXlsxStream(rows, {
    name: sheetName(title),
    freezePane: { rows: 1 },
    columns: columns.map(({ header, kind }) => {
      const numFmt = NUMBER_FORMATS[kind]
      const width = Math.min(50, Math.max(header.length + 2, kind === 'moment' ? 20 : kind === 'month' ? 16 : 12))
      return { header: neutralise(header), width, ...(numFmt !== undefined && { numFmt }) }
    }),
  })

/** Sheet names have at most 31 characters and none that occur in cell addresses. */
const sheetName = (title: string): string =>
  title
    .replace(/[\\/?*[\]:]/g, ' ')
    .replace(/^'+|'+$/g, '')
    .slice(0, 31)
    .trim() || 'Sheet'

type Cell = string | number | boolean | Date | null

async function* readRows(sheet: Sheet, format: SheetFormat, progress: SheetProgress): AsyncGenerator<Cell[]> {
  const wallTime = createWallClock(sheet.zone)
  const write = format === 'csv' ? textCell : typedCell
  const kinds = sheet.columns.map(({ kind }) => kind)
  for await (const batch of sheet.batches) {
    for (const row of batch) {
      yield kinds.map((kind, index) => write(kind, row[index] ?? null, wallTime))
      progress.rows += 1
    }
  }
  for (const note of sheet.notes ?? []) yield kinds.map((_, place) => (place === 0 ? neutralise(note) : null))
}

type WallClock = (iso: string) => number | null

function typedCell(kind: CellKind, value: SheetCell, wallTime: WallClock): Cell {
  if (value === null) return null
  if (typeof value !== 'string') return value
  if (kind === 'number' && NUMBER.test(value)) return Number(value)
  const time = timeOf(kind, value, wallTime)
  return time === null || Number.isNaN(time) ? neutralise(cutText(value)) : new Date(time)
}

/** Null for kinds without a time. */
function timeOf(kind: CellKind, value: string, wallTime: WallClock): number | null {
  if (kind === 'moment') return wallTime(value)
  if (kind === 'month') return MONTH.test(value) ? Date.parse(`${value.slice(0, 7)}-01`) : null
  return kind === 'day' ? Date.parse(value) : null
}

function textCell(kind: CellKind, value: SheetCell, wallTime: WallClock): Cell {
  if (typeof value !== 'string') return value
  if (kind === 'number' && NUMBER.test(value)) return value
  const time = kind === 'moment' ? wallTime(value) : null
  if (time !== null) return new Date(time).toISOString().slice(0, 19).replace('T', ' ')
  return neutralise(value)
}

const MONTH = /^\d{4}-\d\d(-\d\d)?$/
const NUMBER = /^-?\d+(\.\d+)?$/
const FORMULA = /^[=+\-@\t\r]/

/** Prefixes a formula with an apostrophe, also after leading spaces, which some programs remove. */
export const neutralise = (text: string): string => (FORMULA.test(text.replace(/^[ \n]+/, '')) ? `'${text}` : text)

/** The text without the apostrophe of `neutralise`. */
export const withoutGuard = (text: string): string => {
  const rest = text.slice(1)
  return text.startsWith("'") && neutralise(rest) === text ? rest : text
}

/** Cuts text to the length of an Excel cell and removes characters that XML does not allow. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these cannot be written
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const cutText = (text: string): string => text.slice(0, 32_766).replace(UNWRITABLE, '')

const QUARTER = 900_000

/** Local time of an instant, as the milliseconds of the same clock time in UTC. Offsets change only at quarters of an hour. */
function createWallClock(zone: string): WallClock {
  const offsets = new Map<number, number>()
  return (iso) => {
    const time = Date.parse(iso)
    if (Number.isNaN(time)) return null
    const quarter = Math.floor(time / QUARTER)
    let offset = offsets.get(quarter)
    if (offset === undefined) {
      offset = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6
      offsets.set(quarter, offset)
    }
    return time + offset
  }
}
