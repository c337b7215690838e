// The file that a mail of a saved report carries: the report on the day of sending, with the recipient's rows, in memory and of a bounded size.
import { addDays, presetPeriod, today } from '@tributary/contract/period'
import type { SavedReportState } from '@tributary/contract/reports/saved'
import { screenAddress } from '@tributary/contract/reports/screen-address'
import type { Recipient } from '../../access/recipient.ts'
import { AppError } from '../../lib/app-error.ts'
import { chooseFormat, type SheetFormat, type SheetProgress, writeSheet } from '../../lib/sheet.ts'
import { type ReportEngines, readReportSetting } from '../engine/context.ts'
import { EXPORTERS } from '../export/plain-exports.ts'
import { readFormulas } from './formulas.ts'
import { requireReport, visibleColumns, visibleRequest } from './visible-state.ts'
/** Mail servers commonly refuse more than 25 MB, and attachments grow by a third on the way. */
export const ATTACHMENT_CAP = 15 * 1024 * 1024

export interface MadeReport {
  readonly fileName: string
  readonly contentType: string
  readonly content: Buffer
  readonly rows: number
  readonly period: { readonly from: string; readonly to: string }
  /** Warnings that belong to the numbers. */
  readonly notes: readonly string[]
  /** Path and query of the screen that shows the same. */
  readonly address: string
}

const TYPES: Readonly<Record<SheetFormat, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
}

/**
 * What the report's screen would show the recipient. Null when the saved request is no longer valid. Throws AppError: `forbidden` when they may
 * not run the report, `too_large` beyond the cap.
 */
export async function makeReport(
  saved: {
    readonly report: string
    readonly title: string
    readonly state: SavedReportState
    readonly format: SheetFormat
  },
  recipient: Recipient,
  engines: ReportEngines,
  signal: AbortSignal,
): Promise<MadeReport | null> {
  const exporter = EXPORTERS[saved.report]
  if (exporter === undefined) return null
  const { request: schema } = requireReport(saved.report, recipient)
  const { zone } = await readReportSetting(engines.postgres)
  const day = today(zone)
  const state = visibleColumns(saved.state, recipient.role, await readFormulas(engines.postgres, recipient))
  const parsed = schema.safeParse(moveDays(state, day))
  if (!parsed.success) return null
  const request = { ...visibleRequest(saved.report, parsed.data, recipient.role), columns: state.columns }
  const viewer = { role: recipient.role, partners: recipient.scope.partners, language: recipient.language }
  const sheet = await exporter({ request, viewer, title: saved.title, signal }, engines)
  const format = chooseFormat(saved.format, sheet.total)
  const progress: SheetProgress = { rows: 0 }
  const content = await collect(writeSheet(sheet, format, progress))
  const days = daysOf(parsed.data)
  const { dateFrom = day, dateTo = day } = days
  return {
    fileName: `${saved.title.replace(/[\\/:*?"<>|\r\n]+/g, ' ').trim() || 'report'} ${day}.${format}`,
    contentType: TYPES[format],
    content,
    // Without the total.
    rows: Math.max(0, progress.rows - 1),
    period: { from: dateFrom, to: dateTo },
    notes: sheet.notes ?? [],
    address: screenAddress(saved.report, { ...state.search, from: days.dateFrom, to: days.dateTo }),
  }
}

/** The days of the request; without any the report opens with its own. */
function daysOf({ filter }: { filter?: unknown }): { dateFrom?: string; dateTo?: string } {
  const { dateFrom, dateTo } = (filter ?? {}) as Readonly<Record<string, unknown>>
  return { ...(typeof dateFrom === 'string' && { dateFrom }), ...(typeof dateTo === 'string' && { dateTo }) }
}

/** The request with the days that its preset means today. */
export function moveDays(
  { request, preset, comparesPrevious }: SavedReportState,
  day: string,
): Record<string, unknown> {
  const filter = (request.filter ?? {}) as Record<string, unknown>
  const { knownAt: _then, ...kept } = filter
  const days = preset === null ? null : presetPeriod(preset, day)
  const from = days?.from ?? (typeof kept.dateFrom === 'string' ? kept.dateFrom : day)
  const moved = days === null ? kept : { ...kept, dateFrom: days.from, dateTo: days.to }
  const { secondDateFrom: _from, ...single } = moved as Record<string, unknown>
  const second = comparesPrevious ? { ...single, secondDateTo: addDays(from, -1) } : moved
  return { ...request, filter: second }
}

async function collect(file: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of file) {
    size += chunk.length
    if (size > ATTACHMENT_CAP) throw new AppError('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
