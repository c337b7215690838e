// What a call beside the generic CRUD declares: method, path, who may, and the schemas that validate and document it.
import type { ZodType } from 'zod'
import type { Requirement } from './access.ts'
import type { UploadRule } from './upload.ts'

export interface Call {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below /api, Fastify style: 'offer/activate/:id'. */
  readonly path: string
  /** 'public' = answers without a token (signing in, health). */
  readonly access: Requirement | 'public'
  /** A person at a screen only: an API key does not open it. */
  readonly sessionOnly?: true
  /** Changes nothing, though its method could: open to one who looks on as someone else. */
  readonly isReading?: true
  readonly params?: ZodType
  readonly query?: ZodType
  readonly body?: ZodType
  /** The body is multipart/form-data with one file in the field `file`. */
  readonly upload?: UploadRule
  /** Answers a table as a file (xlsx or csv) instead of JSON. */
  readonly sheet?: true
  /** Answers a file that was kept, as it was kept. */
  readonly kept?: true
  /** What a success answers; absent = 204. */
  readonly answer?: ZodType
  readonly status?: 200 | 201 | 204
}

export function defineCall<const C extends Call>(call: C): C {
  return call
}
