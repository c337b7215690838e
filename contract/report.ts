// What a report declares: its path, who may ask for it, and the schemas of question and answer. Closed by default: `access` is always stated.
import type { ZodObject, ZodType } from 'zod'
import type { Requirement } from './access.ts'
import type { Call } from './call.ts'

export interface Report {
  readonly name: string
  /** Below /api; asked with POST. */
  readonly path: string
  readonly access: Requirement
  readonly request: ZodObject
  readonly answer: ZodType
  /** Calls that belong to the report: rows behind a number, values of a filter, the state of its data. */
  readonly calls: readonly Call[]
}

export function defineReport<const R extends Report>(report: R): R {
  return report
}
