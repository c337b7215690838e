// Reads a player report from a sheet, from its heading to its last row.

import type { Sheet, SheetRow } from '../../lib/sheet/sheet.ts'
import { type Columns, type Figure, figuresIn, readHeading } from './columns.ts'
import { createMoments, daysIn, type Moments, type Zones } from './moments.ts'
import { copyLine, readRow } from './read-row.ts'
import { ERROR_CAP, type ReportIssue, ReportRejection } from './reader-messages.ts'

export interface ReportSource {
  /** The file's name, as uploaded. */
  readonly fileName: string
  readonly zones: Zones
}

export interface ReportHead {
  /** The figures that the report has a column for. */
  readonly figures: readonly Figure[]
  readonly hasClicks: boolean
}

/** Lines for COPY, with their number. */
export interface StagedPiece {
  readonly text: string
  readonly rows: number
}

/** Number of rows in which the heading is searched. */
const SEARCHED = 50

const rejection = (key: ReportIssue['key'], line = 0, column = ''): ReportRejection =>
  new ReportRejection([{ line, column, key, value: '' }])

/** Yields staged rows; calls `onHead` before the first piece. Throws ReportRejection or SheetFailure. */
export async function* readReport(
  sheet: Sheet,
  { fileName, zones }: ReportSource,
  onHead: (head: ReportHead) => void,
): AsyncGenerator<StagedPiece> {
  const moments = createMoments(zones, sheet.is1904)
  const above: SheetRow[] = []
  const issues: ReportIssue[] = []
  let columns: Columns | undefined
  let day: string | undefined
  let total = 0
  for await (const rows of sheet.rows()) {
    let text = ''
    let count = 0
    for (const row of rows) {
      if (columns === undefined) {
        columns = readHeading(row)
        if (columns === undefined) {
          above.push(row)
          if (above.length > SEARCHED) throw rejection('import_heading_absent')
          continue
        }
        day = findDay(above, fileName, moments)
        if (!columns.has('report_date') && day === undefined) throw rejection('import_period_absent')
        onHead({ figures: figuresIn(columns), hasClicks: columns.has('click_id') })
        continue
      }
      const staged = readRow(row, { columns, moments, day }, issues)
      if (issues.length >= ERROR_CAP) throw new ReportRejection(issues)
      if (staged === undefined) continue
      text += copyLine(staged)
      count++
    }
    total += count
    if (count > 0 && issues.length === 0) yield { text, rows: count }
  }
  if (columns === undefined) throw rejection('import_heading_absent')
  if (issues.length > 0) throw new ReportRejection(issues)
  if (total === 0) throw rejection('import_empty')
}

const WORDS = /period|date|day|период|дата|день|за\s/i

/** The day of a report whose rows have none: named above the heading or in the file's name. Undefined if there is none, or several. */
function findDay(above: readonly SheetRow[], fileName: string, moments: Moments): string | undefined {
  const named = above.flatMap((row) => daysOfRow(row, moments))
  const days = new Set(named.length > 0 ? named : daysIn(fileName.replaceAll('_', ' ')))
  return days.size === 1 ? [...days][0] : undefined
}

function daysOfRow({ cells, isNumber }: SheetRow, moments: Moments): string[] {
  const isAbout = cells.some((text, index) => isNumber[index] !== true && WORDS.test(text))
  if (!isAbout) return []
  return cells.flatMap((text, index) => (isNumber[index] === true ? (moments.day(text, true) ?? []) : daysIn(text)))
}
