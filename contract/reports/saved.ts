// Calls on saved reports, their mail schedules and deliveries, and on formulas.
import { z } from 'zod'
import { leadersOr } from '../access.ts'
import { TEXT_MAX } from '../limits.ts'
import type { Pagination } from '../list-query.ts'
import { PRESETS, SECOND_PERIODS } from '../period.ts'
import { FORMULA_MAX, FORMULA_UNITS, type FormulaUnit } from './formula.ts'

const id = z.strictObject({ id: z.string().regex(/^[1-9]\d{0,9}$/, { error: 'value_invalid' }) })
const title = z.string().trim().min(1, { error: 'required' }).max(TEXT_MAX)
const name = z.string().min(1).max(64)
const object = z.record(z.string(), z.unknown())

/** A stored formula. */
export interface ReportFormula {
  id: number
  title: string
  expression: string
  unit: FormulaUnit
  owner: { id: number; title: string }
  /** True if the viewer may change the formula: its owner and admins may. */
  is_own: boolean
  version: number
}

const formulaBody = z.strictObject({
  title,
  /** Keys of metrics with + - * / and brackets: '(income - s) / nd'. */
  expression: z.string().max(FORMULA_MAX),
  unit: z.enum(FORMULA_UNITS),
  version: z.int().optional(),
})
/** A formula as it is saved. */
export type ReportFormulaBody = z.output<typeof formulaBody>

/** State of a saved report: enough to show it again on the screen and to run it on the server. */
const savedState = z.strictObject({
  /** The query of the screen's URL. */
  search: object,
  /** The request, valid by the report's schema. */
  request: object,
  /** Days relative to today; null means the days of the request. */
  preset: z.enum(PRESETS).nullable().default(null),
  /** The comparison period has the same length and ends right before the first. */
  comparesPrevious: z.boolean().default(false),
  /** The comparison period of the same name; absent: `comparesPrevious`, or the days of the request. */
  compares: z.enum(SECOND_PERIODS).optional(),
  /** Columns in order: keys of metrics or 'formula:<id>'. */
  columns: z.array(name).max(200).default([]),
  /** Appearance (heat, bars, chart); only the screen reads it. */
  look: object.default({}),
})
/** The state of a saved report: the query of its screen and of the server. */
export type SavedReportState = z.output<typeof savedState>

const savedBody = z.strictObject({
  /** Path of the report: 'general_report'. */
  report: name,
  title,
  shared: z.boolean().default(false),
  is_default: z.boolean().default(false),
  state: savedState,
  version: z.int().optional(),
})
/** A saved report as it is saved. */
export type SavedReportBody = z.output<typeof savedBody>

export const SCHEDULE_PERIODS = ['day', 'week', 'month'] as const
export type SchedulePeriod = (typeof SCHEDULE_PERIODS)[number]

const scheduleBody = z.strictObject({
  every: z.enum(SCHEDULE_PERIODS),
  /** For 'week'; 1 is Monday. */
  weekday: z.int().min(1).max(7).optional(),
  /** For 'month'; in a shorter month, its last day. */
  monthday: z.int().min(1).max(31).optional(),
  /** Business time, 'HH:mm'. */
  at_time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'time_invalid' }),
  format: z.enum(['xlsx', 'csv']).default('xlsx'),
})
/** The schedule of a saved report as it is saved. */
export type ReportScheduleBody = z.output<typeof scheduleBody>

/** When a saved report is mailed, in the business time zone, and in which format. */
export interface ReportSchedule {
  every: SchedulePeriod
  weekday: number | null
  monthday: number | null
  at_time: string
  format: 'xlsx' | 'csv'
  next_at: string
  /** Moment at which mails ended; `end_reason` is 'disabled' (the user) or 'forbidden' (the user may no longer run the report). */
  ended_at: string | null
  end_reason: string | null
}

/** A saved report as its owner, or a user with whom it is shared, sees it. */
export interface SavedReport {
  id: number
  report: string
  title: string
  shared: boolean
  is_default: boolean
  is_own: boolean
  owner: { id: number; title: string }
  state: SavedReportState
  /** The viewer's schedule; null if the report is not mailed to them. */
  schedule: ReportSchedule | null
  version: number
}

export const DELIVERY_STATUSES = ['waiting', 'sending', 'sent', 'failed', 'skipped'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** One mailing of a saved report. */
export interface ReportDelivery {
  id: number
  saved_report: { id: number; title: string } | null
  due_at: string
  status: DeliveryStatus
  error: string | null
  rows: number | null
  bytes: number | null
  finished_at: string | null
}

const page = z.coerce.number().int().min(1).max(100_000)
/** Open to everyone, because handlers check each saved report against the access of its report. */
const every = 'everyone'
/** Formulas are shared by the team; users who see only the cost report cannot create them. */
const makers = leadersOr(
  'general_report',
  'cohort_analysis_view',
  'cohort_analysis_cumulative_view',
  'partner_report',
  'new_streams',
)

/** Answers are not validated: the handlers' types guarantee them. */
export const SAVED_CALLS = [
  {
    name: 'report_formula_list',
    method: 'GET',
    path: 'report_formula',
    access: every,
    answer: z.custom<{ items: ReportFormula[] }>(),
  },
  {
    name: 'report_formula_create',
    method: 'POST',
    path: 'report_formula',
    access: makers,
    body: formulaBody,
    answer: z.custom<ReportFormula>(),
    status: 201,
  },
  {
    name: 'report_formula_update',
    method: 'PUT',
    path: 'report_formula/:id',
    access: makers,
    params: id,
    body: formulaBody,
    answer: z.custom<ReportFormula>(),
  },
  { name: 'report_formula_delete', method: 'DELETE', path: 'report_formula/:id', access: makers, params: id },
  {
    name: 'saved_report_list',
    method: 'GET',
    path: 'saved_report',
    access: every,
    query: z.strictObject({ report: name.optional() }),
    answer: z.custom<{ items: SavedReport[] }>(),
  },
  {
    name: 'saved_report_create',
    method: 'POST',
    path: 'saved_report',
    access: every,
    body: savedBody,
    answer: z.custom<SavedReport>(),
    status: 201,
  },
  {
    name: 'saved_report_update',
    method: 'PUT',
    path: 'saved_report/:id',
    access: every,
    params: id,
    body: savedBody,
    answer: z.custom<SavedReport>(),
  },
  { name: 'saved_report_delete', method: 'DELETE', path: 'saved_report/:id', access: every, params: id },
  {
    name: 'saved_report_schedule',
    method: 'PUT',
    path: 'saved_report/:id/schedule',
    access: every,
    params: id,
    body: scheduleBody,
    answer: z.custom<SavedReport>(),
  },
  {
    name: 'saved_report_unschedule',
    method: 'DELETE',
    path: 'saved_report/:id/schedule',
    access: every,
    params: id,
  },
  {
    name: 'saved_report_send',
    method: 'POST',
    path: 'saved_report/:id/send',
    access: every,
    params: id,
    body: z.strictObject({ format: z.enum(['xlsx', 'csv']).default('xlsx') }),
    answer: z.custom<ReportDelivery>(),
    status: 201,
  },
  {
    name: 'report_delivery_list',
    method: 'GET',
    path: 'report_delivery',
    access: every,
    query: z.strictObject({
      page: page.default(1),
      limit: z.coerce.number().int().min(1).max(100).default(20),
      saved_report: z.coerce.number().int().min(1).optional(),
    }),
    answer: z.custom<{ items: ReportDelivery[]; pagination: Pagination }>(),
  },
] as const
