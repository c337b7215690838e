// Declaration of an API call outside the generic CRUD: method, path, access, and the schemas that validate and document it.
import type { ZodType } from 'zod'
import type { Requirement } from './access.ts'
import type { UploadRule } from './upload.ts'

export interface Call {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api, Fastify style: 'offer/activate/:id'. */
  readonly path: string
  /** 'public' needs no token (sign-in, health). */
  readonly access: Requirement | 'public'
  /** Refuses API keys. */
  readonly sessionOnly?: true
  /** Changes nothing despite its method, so an admin may call it while viewing as another user. */
  readonly isReading?: true
  readonly params?: ZodType
  readonly query?: ZodType
  readonly body?: ZodType
  /** The body is multipart/form-data with one file in the field `file`. */
  readonly upload?: UploadRule
  /** Returns a table as a file (xlsx or csv) instead of JSON. */
  readonly sheet?: true
  /** Returns a stored file unchanged. */
  readonly kept?: true
  /** Schema of a successful answer; absent = 204. */
  readonly answer?: ZodType
  readonly status?: 200 | 201 | 204
}

/** Returns the call unchanged, with its literal types. */
export function defineCall<const C extends Call>(call: C): C {
  return call
}
