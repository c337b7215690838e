// Declaration of an API call outside the generic CRUD: method, path, access, and the schemas that validate and document it.
import type { ZodObject, ZodType } from 'zod'
import type { Requirement } from './access.ts'
import { FILTER_VALUES_CAP, type UploadRule } from './limits.ts'

/** Maximum size of a JSON body. The server checks it before it parses the body. */
export interface BodyLimits {
  readonly bytes: number
  /** Members of objects and items of arrays, on all levels together. */
  readonly members: number
  /** Members of a single object. */
  readonly width: number
  /** Nesting of arrays and objects. */
  readonly depth: number
}

export const BODY_LIMITS: BodyLimits = { bytes: 1024 * 1024, members: 2000, width: 1000, depth: 40 }
/** For calls without a token, and for paths without a route. */
export const PUBLIC_BODY_LIMITS: BodyLimits = { bytes: 16 * 1024, members: 100, width: 100, depth: 5 }

/** For saving an entity: a row may come with all rows of its collections. */
export const ENTITY_BODY_LIMITS: Partial<BodyLimits> = { members: 20_000 }

/** The declaration of a call: where it is mounted, who may use it, and what it accepts and answers. */
export interface Call {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api, Fastify style: 'offer/activate/:id'. */
  readonly path: string
  /** 'public' needs no token (sign-in, health). */
  readonly access: Requirement | 'public'
  /** Rejects API keys. */
  readonly sessionOnly?: true
  /** An admin's group filter does not narrow it. Calls below the path of an entity do as the entity declares. */
  readonly ignoresGroupFilter?: true
  /** Changes nothing despite its method, so an admin may call it while viewing as another user. */
  readonly isReading?: true
  readonly params?: ZodType
  readonly query?: ZodType
  readonly body?: ZodType
  /** Overrides single limits of `BODY_LIMITS`, or of `PUBLIC_BODY_LIMITS` for a public call. */
  readonly bodyLimits?: Partial<BodyLimits>
  /** Maximum number of calls per minute from one network address, for each process; further calls get 429. */
  readonly callsPerMinute?: number
  /** The body is multipart/form-data with one file in the field `file`. */
  readonly upload?: UploadRule
  /** Returns a table as a file (xlsx or csv) instead of JSON. */
  readonly sheet?: true
  /** Returns a stored file unchanged. */
  readonly returnsStoredFile?: true
  /** The answer may be long: it is sent in pieces, and its schema only documents it. */
  readonly isLong?: true
  /** Schema of a successful answer; absent = 204. */
  readonly answer?: ZodType
  readonly status?: 200 | 201 | 202 | 204
}

/** Returns the call unchanged, with its literal types. */
export function defineCall<const C extends Call>(call: C): C {
  return call
}

/** A report's filter may hold one list of the largest size, and everything else beside it. */
export const REPORT_BODY_LIMITS: Partial<BodyLimits> = { members: FILTER_VALUES_CAP + 2000 }

/** Declaration of a report: path, access, and the schemas of its query and answer. `access` is required. */
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

/** Returns the declaration of a report with its exact type. */
export function defineReport<const R extends Report>(report: R): R {
  return report
}
