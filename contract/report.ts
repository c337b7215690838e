// Declaration of a report: path, access, and the schemas of its query and answer. `access` is required.
import type { ZodObject, ZodType } from 'zod'
import type { Requirement } from './access.ts'
import type { BodyLimits, Call } from './call.ts'
import { FILTER_VALUES_CAP } from './limits.ts'

/** A report's filter may hold one list of the largest size, and everything else beside it. */
export const REPORT_BODY_LIMITS: Partial<BodyLimits> = { members: FILTER_VALUES_CAP + 2000 }

export interface Report {
  readonly name: string
  /** Below /api; requested with POST. */
  readonly path: string
  readonly access: Requirement
  readonly request: ZodObject
  readonly answer: ZodType
  /** Calls that belong to the report: drill-down rows, filter values, freshness. */
  readonly calls: readonly Call[]
}

export function defineReport<const R extends Report>(report: R): R {
  return report
}
