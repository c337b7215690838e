// A failure that the product means: a code of the contract, with what the answer may carry beside it. Anything else that is thrown becomes `internal`.

import { ERRORS, type ErrorCode, type ErrorReply } from '@tributary/contract/error'
import type { Issue } from '@tributary/contract/validate'
import type { MessageKey } from '@tributary/contract/words/messages'

/** What is wrong, by field and nested field: keys, which become sentences of the reader's language in the answer. */
export type IssueTree = { [field: string]: readonly Issue[] | IssueTree }

/** What an answer may carry beside its code. `retry_after` is in seconds. */
export interface ErrorDetails extends Pick<ErrorReply, 'retry_after' | 'current' | 'references'> {
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

/** 422 on one field; of a field inside another one ('filter.dateTo') the answer is nested like the request. */
export function invalidField(field: string, key: MessageKey, values?: Issue['values']): AppError {
  const issues: readonly Issue[] = [values === undefined ? { key } : { key, values }]
  const nest = (tree: IssueTree | readonly Issue[], name: string): IssueTree => ({ [name]: tree })
  const [inner = field, ...outer] = field.split('.').reverse()
  return new AppError('invalid', { issues: outer.reduce(nest, { [inner]: issues }) })
}
