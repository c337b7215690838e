// Every error code the product can answer, with its HTTP status. The words are in contract/words; a code without words does not compile.

export const ERRORS = {
  bad_request: 400,
  wrong_credentials: 400,
  wrong_code: 400,
  wrong_token: 400,
  unauthorized: 401,
  token_expired: 401,
  forbidden: 403,
  view_only: 403,
  not_found: 404,
  method_not_allowed: 405,
  stale: 409,
  conflict: 409,
  in_use: 409,
  link_inactive: 410,
  too_large: 413,
  unsupported_media: 415,
  invalid: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  /** Not 408: to that, browsers send the same request once more by themselves. */
  timeout: 504,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof ERRORS

/** Messages of one field, or of the fields nested below it. */
export type FieldErrors = { [field: string]: string[] | FieldErrors }

/** The body of every answer that is not a success. `retry_after` is in seconds. */
export interface ErrorReply {
  code: ErrorCode
  message: string
  request_id: string
  formErrors?: string[] | FieldErrors
  retry_after?: number
  /** Each thing that was found wrong, on 422: stable `code`, path of the field, and the record where it can be mended, if it is another one. */
  reasons?: { field: string; code: string; message: string; mend?: { entity: string; id: number } }[]
  current?: unknown
  /** What still refers to a row that could not be deleted. */
  references?: { entity: string; items: { id: number; title: string }[]; total: number }[]
}
