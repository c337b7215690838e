// The one shape of every failed call, for screens and for the query cache.
import type { ErrorCode, ErrorReply, FieldErrors } from '@tributary/contract/error'

export type HttpErrorCode = ErrorCode | 'no_response' | 'unreadable'

export interface HttpErrorFacts {
  readonly code: HttpErrorCode
  /** 0 when there was no response. */
  readonly status: number
  readonly message: string
  readonly formErrors?: string[] | FieldErrors | undefined
  /** Seconds to wait before the next try. */
  readonly retryAfter?: number | undefined
  readonly requestId?: string | undefined
  /** The whole body, which may carry more ('current' of stale, 'references' of in_use). */
  readonly reply?: ErrorReply | undefined
}

export class HttpError extends Error implements HttpErrorFacts {
  readonly code: HttpErrorCode
  readonly status: number
  readonly formErrors: string[] | FieldErrors | undefined
  readonly retryAfter: number | undefined
  readonly requestId: string | undefined
  readonly reply: ErrorReply | undefined

  constructor(facts: HttpErrorFacts, cause?: unknown) {
    super(facts.message, { cause })
    this.name = 'HttpError'
    this.code = facts.code
    this.status = facts.status
    this.formErrors = facts.formErrors
    this.retryAfter = facts.retryAfter
    this.requestId = facts.requestId
    this.reply = facts.reply
  }
}

/** Reads the body of a failed response; undefined if it is not an ErrorReply, as when a proxy wrote it. */
export function readErrorReply(body: unknown): ErrorReply | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  return 'code' in body && typeof body.code === 'string' && 'message' in body && typeof body.message === 'string'
    ? (body as ErrorReply)
    : undefined
}

/** True if what was asked for does not exist, or is out of the user's sight: the server does not say which. Another try would not help. */
export const isOutOfSight = (error: unknown): boolean => error instanceof HttpError && error.code === 'not_found'
