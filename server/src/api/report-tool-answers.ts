// Handlers of calls that work with every report: export, saved reports with their schedules, formulas.

import type { Language } from '@tributary/contract/language'
import { type ExportRequest, exportNameOf } from '@tributary/contract/reports/export'
import type {
  ReportFormulaBody,
  ReportScheduleBody,
  SAVED_CALLS,
  SavedReportBody,
} from '@tributary/contract/reports/saved'
import type { FastifyReply } from 'fastify'
import type { Person } from '../access/person.ts'
import { sendReport } from '../jobs/send-report.ts'
import { AppError } from '../lib/app-error.ts'
import type { SheetFormat } from '../lib/sheet.ts'
import type { Viewer } from '../reports/engine/query.ts'
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
import type { Services } from '../services.ts'
import { sendSheet } from './sheet-reply.ts'

/** Input of a report handler. The route's schema has validated params, query and body, so that casting them is safe. */
export interface ReportInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly user: Person
  readonly viewer: Viewer
  readonly services: Services
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  readonly reply: FastifyReply
}

export type ReportAnswer = (input: ReportInput) => Promise<unknown>

const idOf = ({ params }: ReportInput): number => Number((params as { id: string }).id)

type SavedName = (typeof SAVED_CALLS)[number]['name']

const SAVED_ANSWERS = {
  report_formula_list: async ({ user, services }) => ({ items: await listFormulas(services.postgres, user) }),
  report_formula_create: ({ user, services, body }) =>
    createFormula(services.postgres, user, body as ReportFormulaBody),
  report_formula_update: (input) =>
    updateFormula(input.services.postgres, input.user, idOf(input), input.body as ReportFormulaBody),
  report_formula_delete: (input) => deleteFormula(input.services.postgres, input.user, idOf(input)),
  saved_report_list: async ({ user, services, query }) => ({
    items: await listSaved(services.postgres, user, (query as { report?: string }).report),
  }),
  saved_report_create: ({ user, services, body }) => createSaved(services.postgres, user, body as SavedReportBody),
  saved_report_update: (input) =>
    updateSaved(input.services.postgres, input.user, idOf(input), input.body as SavedReportBody),
  saved_report_delete: (input) => deleteSaved(input.services.postgres, input.user, idOf(input)),
  saved_report_schedule: (input) =>
    setSchedule(input.services.postgres, input.user, idOf(input), input.body as ReportScheduleBody),
  saved_report_unschedule: (input) => dropSchedule(input.services.postgres, input.user, idOf(input)),
  saved_report_send: async (input) => {
    const { postgres, jobs } = input.services
    const delivery = await addDelivery(postgres, input.user, idOf(input))
    const { format } = input.body as { format: 'xlsx' | 'csv' }
    await jobs.enqueue(sendReport, { delivery: delivery.id, format })
    return delivery
  },
  report_delivery_list: ({ user, services, query }) =>
    listDeliveries(services.postgres, user, query as { page: number; limit: number; saved_report?: number }),
} satisfies Record<SavedName, ReportAnswer>

/** Title of the report's file. */
export function titleOf(path: string, language: Language): string {
  const { files, file } = COLUMN_WORDS[language]
  return Object.entries(files).find(([name]) => name === path)?.[1] ?? file
}

/** Streams a report as a file. */
const exportReport =
  (path: string): ReportAnswer =>
  async ({ body, viewer, services, signal, reply }) => {
    const exporter = EXPORTERS[path]
    if (exporter === undefined) throw new AppError('not_found')
    const { format, ...request } = body as ExportRequest & { format: SheetFormat }
    const title = titleOf(path, viewer.language)
    return sendSheet(reply, await exporter({ request, viewer, title, signal }, services), format)
  }

export const TOOL_ANSWERS: Readonly<Record<string, ReportAnswer>> = {
  ...SAVED_ANSWERS,
  ...Object.fromEntries(Object.keys(EXPORTERS).map((path) => [exportNameOf(path), exportReport(path)])),
}
