// The call that compares the general report with its state at an earlier moment, with the cause and author of each change.
import { z } from 'zod'
import { leadersOr } from '../access.ts'
import { reportFilterSchema } from './filter.ts'
import type { MetricKey, ReportGroup, SpendGroup } from './general.ts'

/** Why a number changed. `late_postback`: the postback arrived on a later day than the one on which it counts. */
export const CHANGE_CAUSES = [
  'click',
  'postback',
  'late_postback',
  'report',
  'history',
  'terms',
  'approval',
  'qualification',
  'player',
  'spend',
  'rate',
  'rebuild',
  'other',
] as const
export type ChangeCause = (typeof CHANGE_CAUSES)[number]

/** Clicks have no log of changes; each is known from the moment at which it happened. */
export const CLICK_CAUSE = 'click' satisfies ChangeCause

/** Why facts behind a number changed, and who changed them. */
export interface ReportChangeCause {
  cause: ChangeCause
  /** The user who made the change; null for changes by machines, and if the viewer is a PARTNER. */
  actor: { id: number; title: string } | null
  /** Number of changed players, spends or clicks. */
  count: number
  /** Moment at which the last of them became known. */
  at: string
}

/** A row whose numbers differ from those of the earlier moment. */
export interface ReportChange {
  /** Groups of the row, outermost first; empty for the total. */
  path: ReportGroup[]
  /** Set if the row is unallocated spend. */
  s?: SpendGroup
  /** Numbers that differ; null if there was or is none. */
  cells: { metric: MetricKey; before: number | null; now: number | null }[]
  causes: ReportChangeCause[]
}

/** The rows of a report that changed since an earlier moment, with causes. */
export interface ReportChangesAnswer {
  since: string
  /** Start of the log of changes; earlier states are unknown. Null if nothing is logged yet. */
  known_from: string | null
  /** Outer rows before inner ones, the total first. */
  changes: ReportChange[]
  /** More than CHANGES_CAP rows changed. */
  is_truncated: boolean
}

const changesRequest = z.strictObject({
  /** Its second period and `knownAt` are ignored. */
  filter: reportFilterSchema.prefault({}),
  /** ISO 8601. */
  since: z.iso.datetime({ offset: true, error: 'date_invalid' }),
})
/** A parsed question which numbers changed since a moment. */
export type ReportChangesRequest = z.output<typeof changesRequest>

/** Maximum number of changed rows in an answer. */
export const CHANGES_CAP = 2000

export const generalReportChanges = {
  name: 'general_report_changes',
  method: 'POST',
  path: 'general_report/changes',
  access: leadersOr('general_report'),
  isReading: true,
  body: changesRequest,
  answer: z.custom<ReportChangesAnswer>(),
  status: 200,
} as const
