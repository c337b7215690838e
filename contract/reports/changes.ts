// What changed since, in the general report: which numbers, from what to what, why and by whom.
import { z } from 'zod'
import { leadersOr } from '../access.ts'
import { reportFilterSchema } from './filter.ts'
import type { MetricKey, ReportGroup, SpendGroup } from './general.ts'

/** Why a number changed. `late_postback`: it came on a later day than the one on which it counts. */
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

/** Clicks have no log of changes: they are known from the moment at which they were made. */
export const CLICK_CAUSE = 'click' satisfies ChangeCause

export interface ReportChangeCause {
  cause: ChangeCause
  /** Who did it; null for machines, and where the viewer is a PARTNER. */
  actor: { id: number; title: string } | null
  /** Players, spends or clicks that it touched. */
  count: number
  /** When the last of them became known. */
  at: string
}

export interface ReportChange {
  /** Groups from the outside in; empty = the total. */
  path: ReportGroup[]
  /** Of unallocated spend. */
  s?: SpendGroup
  /** Numbers that differ; null = there was (is) none. */
  cells: { metric: MetricKey; before: number | null; now: number | null }[]
  causes: ReportChangeCause[]
}

export interface ReportChangesAnswer {
  since: string
  /** The log of changes begins here; earlier states are unknown. Null: nothing is logged yet. */
  known_from: string | null
  /** Outer rows before inner ones, the total first. */
  changes: ReportChange[]
  /** There are more than CHANGES_CAP. */
  is_truncated: boolean
}

const changesRequest = z.strictObject({
  /** Its second period and `knownAt` are ignored. */
  filter: reportFilterSchema.prefault({}),
  /** ISO 8601. */
  since: z.iso.datetime({ offset: true, error: 'date_invalid' }),
})
export type ReportChangesRequest = z.output<typeof changesRequest>

/** Most changed rows of an answer. */
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
