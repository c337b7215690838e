// Every error code with its HTTP status. Texts are in contract/words; a code without a text does not compile.

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
  /** The change would affect a closed month. */
  period_closed: 409,
  preview_stale: 409,
  link_inactive: 410,
  too_large: 413,
  unsupported_media: 415,
  invalid: 422,
  /** A page of a list beyond PAGED_ROWS. */
  page_too_deep: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  /** Not 408: browsers repeat a request by themselves after a 408. */
  timeout: 504,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof ERRORS

/** Messages of a field, or of the fields nested in it. */
export type FieldErrors = { [field: string]: string[] | FieldErrors }

/** Body of every error answer. `retry_after` is in seconds. */
export interface ErrorReply {
  code: ErrorCode
  message: string
  request_id: string
  formErrors?: string[] | FieldErrors
  retry_after?: number
  /** Problems found, on 422: stable `code`, path of the field, and the record where it can be fixed, if that is another record. */
  reasons?: { field: string; code: string; message: string; mend?: { entity: string; id: number } }[]
  /** Number of problems that `formErrors` and `reasons` leave out, if any. */
  omitted?: number
  current?: unknown
  /** The standing close, on `period_closed`. A PARTNER does not learn who closed the month. */
  closed_by?: { id: number; title: string } | null
  closed_at?: string
  month?: string
  /** Records that refer to a row and so prevent its deletion. */
  references?: { entity: string; items: { id: number; title: string }[]; total: number }[]
}
