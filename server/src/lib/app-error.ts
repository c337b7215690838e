// Errors that the server throws deliberately, with a code of the contract and details for the answer. Others are answered as `internal`.

import { ERRORS, type ErrorCode, type ErrorReply } from '@tributary/contract/error'
import type { Issue } from '@tributary/contract/validate'
import type { MessageKey } from '@tributary/contract/words/messages'

/** Problems by field and nested field. Their keys become sentences in the language of the request. */
export type IssueTree = { [field: string]: readonly Issue[] | IssueTree }

/** Details of the answer. `retry_after` is in seconds; `omitted` counts problems that `issues` leaves out. */
export interface ErrorDetails
  extends Pick<ErrorReply, 'retry_after' | 'omitted' | 'current' | 'references' | 'closed_by' | 'closed_at' | 'month'> {
  issues?: readonly Issue[] | IssueTree
}

export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(code, options)
    this.code = code
    this.details = details
  }

  get status(): number {
    return ERRORS[this.code]
  }
}

/** A 422 for one field. For a nested field ('filter.dateTo') the answer is nested like the request. */
export function invalidField(field: string, key: MessageKey, values?: Issue['values']): AppError {
  const issues: readonly Issue[] = [values === undefined ? { key } : { key, values }]
  const nest = (tree: IssueTree | readonly Issue[], name: string): IssueTree => ({ [name]: tree })
  const [inner = field, ...outer] = field.split('.').reverse()
  return new AppError('invalid', { issues: outer.reduce(nest, { [inner]: issues }) })
}

export const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, ' ')

/** An error of the start that the operator can fix. Its one-line message names what to change and is printed without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'

  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(/\s*\n\s*/g, ' '), options)
  }
}
