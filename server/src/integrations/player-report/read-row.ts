// Converts one row of a file into a staged row, or adds the issues that prevent it. Pure.

import type { SheetRow } from '../../lib/sheet/sheet.ts'
import { readAmount, readCount, readId } from './amount.ts'
import { AMOUNTS, type ColumnName, type Columns, TEXTS } from './columns.ts'
import type { Moments } from './moments.ts'
import type { ReportIssue } from './reader-messages.ts'

/** In the order of the staging table; null is an empty field. */
export const STAGED_COLUMNS = [
  'line',
  'outer_id',
  'report_date',
  'registered_at',
  ...TEXTS,
  'deposits_count',
  ...AMOUNTS,
] as const

export type StagedRow = (string | null)[]

export interface RowReading {
  readonly columns: Columns
  readonly moments: Moments
  /** The day of a file without a column of days. */
  readonly day: string | undefined
}

/** Maximum length of ids and names. */
const TEXT_CAP = 255
const EXCEL_ERROR = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!)$/

/** Undefined if the row names no player (empty lines, totals). */
export function readRow(row: SheetRow, reading: RowReading, issues: ReportIssue[]): StagedRow | undefined {
  const { columns, moments } = reading
  const { line } = row
  const textOf = (name: ColumnName): string => {
    const place = columns.get(name)
    return place === undefined ? '' : (row.cells[place] ?? '').trim()
  }
  const isNumber = (name: ColumnName): boolean => row.isNumber[columns.get(name) ?? -1] ?? false
  const reject = (column: ColumnName, key: ReportIssue['key']): null => {
    issues.push({ line, column, key, value: textOf(column).slice(0, TEXT_CAP) })
    return null
  }
  const read = (
    name: ColumnName,
    key: ReportIssue['key'],
    how: (text: string, isNumber: boolean) => string | undefined,
  ) => {
    const text = textOf(name)
    return text === '' ? null : (how(text, isNumber(name)) ?? reject(name, key))
  }
  const short = (text: string): string | undefined => (text.length > TEXT_CAP ? undefined : text.replaceAll('\0', ''))
  if (textOf('outer_id') === '') return undefined

  const outerId = read('outer_id', 'import_id_lost', (text, number) => {
    const id = EXCEL_ERROR.test(text) ? undefined : readId(text, number)
    return id === undefined ? undefined : short(id)
  })
  const past = (name: ColumnName, value: string | null): string | null =>
    value !== null && value.slice(0, 10) > moments.latest ? reject(name, 'date_future') : value
  const day =
    textOf('report_date') === ''
      ? (reading.day ?? reject('report_date', 'import_period_absent'))
      : read('report_date', 'date_invalid', moments.day)
  const registered = read('registered_at', 'date_invalid', moments.instant)
  const texts = TEXTS.map((name) =>
    read(name, 'import_text_long', (text, number) => short(number ? (readId(text, true) ?? text) : text)),
  )
  const count = read('deposits_count', 'import_count_invalid', readCount)
  const amounts = AMOUNTS.map((name) => read(name, 'import_figure_invalid', readAmount))
  const dates = [past('report_date', day), past('registered_at', registered)]
  return [String(line), outerId, ...dates, ...texts, count, ...amounts]
}

const SPECIAL = /[\\\t\n\r]/g
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A line of PostgreSQL's COPY. */
export const copyLine = (row: StagedRow): string =>
  `${row.map((value) => (value === null ? '\\N' : value.replace(SPECIAL, (sign) => ESCAPES[sign] ?? ''))).join('\t')}\n`
