// The log of a parse: one row for each file and month.

import type { PARSE_TRIGGERS } from '@tributary/contract/entities/google-parse-result'
import type { Pool, PoolClient } from 'pg'
import { type SheetWarning, WARNINGS_CAP } from './sheet-warning.ts'

export type ParseTrigger = (typeof PARSE_TRIGGERS)[number]

/** A column that the mapping of the sheet leaves out. */
export interface IgnoredColumn {
  readonly tab: string
  readonly cell: string
  readonly heading: string
}

export interface ParseResult {
  readonly partner: number
  readonly group: number | null
  readonly file: string
  readonly fileTitle: string | null
  readonly fileUrl: string | null
  /** 'YYYY-MM' */
  readonly month: string
  readonly trigger: ParseTrigger
  readonly startedBy: number | null
  /** Of performance.now() */
  readonly beganAt: number
  readonly calls: number
  readonly ignored: readonly IgnoredColumn[]
  readonly rowsTaken: number
  readonly rowsChanged: number
  readonly rowsRemoved: number
  readonly rowsUnchanged: number
  readonly warnings: readonly SheetWarning[]
}

export const NO_ROWS = { rowsTaken: 0, rowsChanged: 0, rowsRemoved: 0, rowsUnchanged: 0 } as const

export async function writeResult(db: Pool | PoolClient, result: ParseResult): Promise<void> {
  await db.query(
    `insert into google_parse_result (partner_id, partner_group_id, file_id, file_title, file_url, spend_month, trigger, started_by_id,
        duration_ms, calls, rows_taken, rows_changed, rows_removed, rows_unchanged, warnings, ignored_columns, status)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    [
      result.partner,
      result.group,
      result.file,
      result.fileTitle,
      result.fileUrl,
      `${result.month}-01`,
      result.trigger,
      result.startedBy,
      Math.round(performance.now() - result.beganAt),
      result.calls,
      result.rowsTaken,
      result.rowsChanged,
      result.rowsRemoved,
      result.rowsUnchanged,
      JSON.stringify(result.warnings.slice(0, WARNINGS_CAP)),
      JSON.stringify(result.ignored.slice(0, WARNINGS_CAP)),
      result.warnings.length === 0 ? 'success' : 'warnings',
    ],
  )
}
