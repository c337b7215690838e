// Calls that work with every report: export, saved reports with their schedules, formulas.

import type { Language } from '@tributary/contract/language'
import { type ExportRequest, exportNameOf } from '@tributary/contract/reports/export'
import type {
  ReportFormulaBody,
  ReportScheduleBody,
  SAVED_CALLS,
  SavedReportBody,
} from '@tributary/contract/reports/saved'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendReport } from '../jobs/send-report.ts'
import { AppError } from '../lib/app-error.ts'
import type { SheetFormat } from '../lib/sheet.ts'
import { COLUMN_WORDS } from '../reports/export/columns.ts'
import { EXPORTERS } from '../reports/export/plain-exports.ts'
import { createFormula, deleteFormula, listFormulas, updateFormula } from '../reports/saved/formulas.ts'
import {
  addDelivery,
  createSaved,
  deleteSaved,
  dropSchedule,
  listDeliveries,
  listSaved,
  setSchedule,
  updateSaved,
} from '../reports/saved/saved-reports.ts'
import type { ReportUser } from '../reports/saved/visible-state.ts'
import type { Services } from '../services.ts'
import { languageOf } from './error-reply.ts'
import { sendSheet } from './sheet-reply.ts'

export type ReportAnswer = (
  request: FastifyRequest,
  services: Services,
  signal: AbortSignal,
  reply: FastifyReply,
) => Promise<unknown>

const userOf = ({ person }: FastifyRequest): ReportUser => person

// The casts are safe: the schema of each route has validated its input.
const idOf = (request: FastifyRequest): number => Number((request.params as { id: string }).id)
const bodyOf = <T>(request: FastifyRequest): T => request.body as T

type SavedName = (typeof SAVED_CALLS)[number]['name']

const SAVED_ANSWERS = {
  report_formula_list: async (request, { postgres }) => ({ items: await listFormulas(postgres, userOf(request)) }),
  report_formula_create: (request, { postgres }) =>
    createFormula(postgres, userOf(request), bodyOf<ReportFormulaBody>(request)),
  report_formula_update: (request, { postgres }) =>
    updateFormula(postgres, userOf(request), idOf(request), bodyOf<ReportFormulaBody>(request)),
  report_formula_delete: (request, { postgres }) => deleteFormula(postgres, userOf(request), idOf(request)),
  saved_report_list: async (request, { postgres }) => ({
    items: await listSaved(postgres, userOf(request), (request.query as { report?: string }).report),
  }),
  saved_report_create: (request, { postgres }) =>
    createSaved(postgres, userOf(request), bodyOf<SavedReportBody>(request)),
  saved_report_update: (request, { postgres }) =>
    updateSaved(postgres, userOf(request), idOf(request), bodyOf<SavedReportBody>(request)),
  saved_report_delete: (request, { postgres }) => deleteSaved(postgres, userOf(request), idOf(request)),
  saved_report_schedule: (request, { postgres }) =>
    setSchedule(postgres, userOf(request), idOf(request), bodyOf<ReportScheduleBody>(request)),
  saved_report_unschedule: (request, { postgres }) => dropSchedule(postgres, userOf(request), idOf(request)),
  saved_report_send: async (request, { postgres, jobs }) => {
    const delivery = await addDelivery(postgres, userOf(request), idOf(request))
    const { format } = bodyOf<{ format: 'xlsx' | 'csv' }>(request)
    await jobs.enqueue(sendReport, { delivery: delivery.id, format })
    return delivery
  },
  report_delivery_list: (request, { postgres }) =>
    listDeliveries(postgres, userOf(request), request.query as { page: number; limit: number; saved_report?: number }),
} satisfies Record<SavedName, ReportAnswer>

/** Title of the report's file. */
export function titleOf(path: string, language: Language): string {
  const { files, file } = COLUMN_WORDS[language]
  return Object.entries(files).find(([name]) => name === path)?.[1] ?? file
}

/** Streams a report as a file. */
const exportReport =
  (path: string): ReportAnswer =>
  async (request, services, signal, reply) => {
    const exporter = EXPORTERS[path]
    if (exporter === undefined) throw new AppError('not_found')
    const { format, ...input } = bodyOf<ExportRequest & { format: SheetFormat }>(request)
    const { role, scope } = request.person
    const language = languageOf(request)
    const viewer = { role, partners: scope.partners, language }
    const title = titleOf(path, language)
    const sheet = await exporter({ request: input, viewer, title, signal }, services)
    return sendSheet(reply, sheet, format)
  }

export const TOOL_ANSWERS: Readonly<Record<string, ReportAnswer>> = {
  ...SAVED_ANSWERS,
  ...Object.fromEntries(Object.keys(EXPORTERS).map((path) => [exportNameOf(path), exportReport(path)])),
}
