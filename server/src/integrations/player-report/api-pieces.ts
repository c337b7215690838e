// Converts a response of the players API into staged rows like those of files, one page at a time.

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { type ColumnName, type Columns, FIGURES, TEXTS } from './columns.ts'
import { createMoments } from './moments.ts'
import type { ReportHead, ReportSource } from './read-report.ts'
import { copyLine, readRow } from './read-row.ts'
import type { ReportPiece } from './reader.ts'
import { ERROR_CAP, type ReportIssue, ReportRejection } from './reader-messages.ts'

const FIELDS: readonly (readonly [ColumnName, string])[] = [
  ['outer_id', 'player_id'],
  ...(['report_date', 'registered_at', ...TEXTS.filter((name) => name !== 'advertiser'), ...FIGURES].map((name) => [
    name,
    name,
  ]) as [ColumnName, string][]),
]
const COLUMNS: Columns = new Map(FIELDS.map(([name], place) => [name, place]))

const DIGITS = /^-?\d+(\.\d+)?$/
const cellOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** `day`: the requested day. Throws ReportRejection. */
export async function* readApiPieces(
  path: string,
  { zones }: Pick<ReportSource, 'zones'>,
  day: string | undefined,
  onHead: (head: ReportHead) => void,
): AsyncGenerator<ReportPiece> {
  const moments = createMoments(zones, false)
  const issues: ReportIssue[] = []
  let line = 0
  onHead({ figures: FIGURES, hasClicks: true })
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!text.startsWith('{')) continue
    const page: unknown = JSON.parse(text.replace(/,$/, ''))
    const items: readonly unknown[] = isRecord(page) && Array.isArray(page.items) ? page.items : []
    let lines = ''
    let rows = 0
    for (const item of items) {
      line++
      const values = isRecord(item) ? FIELDS.map(([, field]) => item[field]) : []
      const cells = values.map(cellOf)
      const row = {
        line,
        cells,
        // JSON numbers are never ambiguous.
        isNumber: cells.map((cell, place) => typeof values[place] === 'number' || (place > 2 && DIGITS.test(cell))),
      }
      const staged = readRow(row, { columns: COLUMNS, moments, day }, issues)
      if (issues.length >= ERROR_CAP) throw new ReportRejection(issues)
      if (staged === undefined) continue
      lines += copyLine(staged)
      rows++
    }
    if (rows > 0 && issues.length === 0) yield { bytes: Buffer.from(lines), rows, progress: 0.5 }
  }
  if (issues.length > 0) throw new ReportRejection(issues)
}
