// Makes the attachment of a report mail: the report on the day of sending with the recipient's rows. It is built in memory, so its size is limited.
import { presetPeriod, secondPeriod, today } from '@tributary/contract/period'
import type { SavedReportState } from '@tributary/contract/reports/saved'
import { screenAddress } from '@tributary/contract/reports/screen-address'
import type { Recipient } from '../../access/recipient.ts'
import { AppError } from '../../lib/app-error.ts'
import { chooseFormat, type SheetFormat, type SheetProgress, writeSheet } from '../../lib/sheet.ts'
import { type ReportEngines, readReportSetting } from '../engine/context.ts'
import { EXPORTERS } from '../export/plain-exports.ts'
import { readFormulas } from './formulas.ts'
import { requireReport, visibleColumns, visibleRequest } from './visible-state.ts'

/** Mail servers commonly reject more than 25 MB, and encoding enlarges attachments by a third. */
const ATTACHMENT_CAP = 15 * 1024 * 1024

export interface MadeReport {
  readonly fileName: string
  readonly contentType: string
  readonly content: Buffer
  readonly rows: number
  readonly period: { readonly from: string; readonly to: string }
  /** Warnings about the numbers, in the recipient's language. */
  readonly notes: readonly string[]
  /** Path and query of the screen that shows the same report. */
  readonly address: string
}

const TYPES: Readonly<Record<SheetFormat, string>> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
}

/**
 * Exports what the report's screen would show the recipient. Null if the saved request is no longer valid. Throws AppError: `forbidden` if the
 * recipient may not run the report, `too_large` beyond ATTACHMENT_CAP.
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
  const days = requestDays(parsed.data)
  const { dateFrom = day, dateTo = day } = days
  return {
    fileName: `${saved.title.replace(/[\\/:*?"<>|\r\n]+/g, ' ').trim() || 'report'} ${day}.${format}`,
    contentType: TYPES[format],
    content,
    // The total is not counted.
    rows: Math.max(0, progress.rows - 1),
    period: { from: dateFrom, to: dateTo },
    notes: sheet.notes ?? [],
    address: screenAddress(saved.report, { ...state.search, from: days.dateFrom, to: days.dateTo }),
  }
}

/** The days of the request; empty if the request leaves them to the report's default. */
function requestDays({ filter }: { filter?: unknown }): { dateFrom?: string; dateTo?: string } {
  const { dateFrom, dateTo } = (filter ?? {}) as Readonly<Record<string, unknown>>
  return { ...(typeof dateFrom === 'string' && { dateFrom }), ...(typeof dateTo === 'string' && { dateTo }) }
}

/** Replaces the days of the saved request by those that its preset means on `day`, and drops `knownAt`. */
export function moveDays(
  { request, preset, comparesPrevious, compares }: SavedReportState,
  day: string,
): Record<string, unknown> {
  const filter = (request.filter ?? {}) as Record<string, unknown>
  const { knownAt: _knownAt, ...rest } = filter
  const days = preset === null ? null : presetPeriod(preset, day)
  const moved = days === null ? rest : { ...rest, dateFrom: days.from, dateTo: days.to }
  const name = compares ?? (comparesPrevious ? 'previous' : null)
  if (name === null) return { ...request, filter: moved }
  const { dateFrom = day, dateTo = day } = requestDays({ filter: moved })
  const { from, to } = secondPeriod(name, { from: dateFrom, to: dateTo })
  return { ...request, filter: { ...moved, secondDateFrom: from, secondDateTo: to } }
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
