// Reads and updates a report's row during its import: request, progress, outcome.

import type { Language } from '@tributary/contract/language'
import type { Pool, PoolClient } from 'pg'

export interface ReportTask {
  readonly id: number
  readonly type: 'file' | 'api'
  readonly fileName: string
  readonly advertiserId: number | null
  /** The day requested from the players API. */
  readonly day: string | undefined
  readonly updatesRegistrations: boolean
  readonly requestedBy: number | null
  readonly language: Language
  readonly attempts: number
  readonly isCancelAsked: boolean
  readonly serverZone: string
  readonly businessZone: string
}

interface TaskRow {
  id: number
  type: 'file' | 'api'
  file_name: string
  advertiser_id: number | null
  period_from: string | null
  update_registrations: boolean
  requested_by_id: number | null
  language: Language
  attempts: number
  is_cancel_asked: boolean
  server_time_zone: string
  business_time_zone: string
}

/** Undefined if it is finished or deleted. */
export async function readTask(pool: Pool, id: number): Promise<ReportTask | undefined> {
  const { rows } = await pool.query<TaskRow>(
    `select r.id, r.type, r.file_name, r.advertiser_id, r.period_from, r.update_registrations, r.requested_by_id, r.language, r.attempts, r.is_cancel_asked,
        s.server_time_zone, s.business_time_zone
      from report r, setting s where r.id = $1 and r.status in ('waiting', 'processing')`,
    [id],
  )
  const row = rows[0]
  return row === undefined
    ? undefined
    : {
        id: row.id,
        type: row.type,
        fileName: row.file_name,
        advertiserId: row.advertiser_id,
        day: row.type === 'api' ? (row.period_from ?? undefined) : undefined,
        updatesRegistrations: row.update_registrations,
        requestedBy: row.requested_by_id,
        language: row.language,
        attempts: row.attempts,
        isCancelAsked: row.is_cancel_asked,
        serverZone: row.server_time_zone,
        businessZone: row.business_time_zone,
      }
}

export async function findUnfinished(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    "select id from report where status in ('waiting', 'processing') order by id",
  )
  return rows.map((row) => row.id)
}

export async function beginAttempt(pool: Pool, id: number): Promise<void> {
  await pool.query("update report set status = 'processing', attempts = attempts + 1, progress = 0 where id = $1", [id])
}

export async function writeProgress(pool: Pool, id: number, percent: number): Promise<void> {
  await pool.query("update report set progress = $2 where id = $1 and status = 'processing'", [id, percent])
}

export async function isCancelAsked(pool: Pool, id: number): Promise<boolean> {
  const { rows } = await pool.query<{ is_cancel_asked: boolean }>('select is_cancel_asked from report where id = $1', [
    id,
  ])
  return rows[0]?.is_cancel_asked ?? true
}

export interface Outcome {
  readonly status: 'success' | 'warnings' | 'failed' | 'cancelled'
  readonly error?: string
  readonly rows?: number
  readonly warnings?: number
  readonly playersAdded?: number
  readonly entriesAdded?: number
  readonly entriesChanged?: number
  readonly periodFrom?: string | null
  readonly periodTo?: string | null
}

/** Stores the outcome, within the import's transaction if there is one, so that row and imported data agree. */
export async function finishReport(db: Pool | PoolClient, id: number, outcome: Outcome): Promise<void> {
  const values = [
    id,
    outcome.status,
    outcome.error ?? null,
    outcome.rows ?? null,
    outcome.warnings ?? null,
    outcome.playersAdded ?? null,
    outcome.entriesAdded ?? null,
    outcome.entriesChanged ?? null,
    outcome.periodFrom ?? null,
    outcome.periodTo ?? null,
  ]
  await db.query(
    `update report set status = $2, error = $3, rows = $4, warnings = $5, players_added = $6, entries_added = $7,
        entries_changed = $8, period_from = coalesce($9, period_from), period_to = coalesce($10, period_to), progress = 100, finished_at = now()
      where id = $1`,
    values,
  )
}
