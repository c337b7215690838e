// An error or warning about a line of a player report. Errors reject the whole report; a line with a warning counts.

import type { MessageKey } from '@tributary/contract/words/messages'

export interface ReportIssue {
  /** 0: the report as a whole. */
  readonly line: number
  readonly column: string
  readonly key: MessageKey
  readonly value: string
}

/** Further errors are not listed. */
export const ERROR_CAP = 1000

/** Why a report was rejected; nothing of it is kept. */
export class ReportRefused extends Error {
  override readonly name = 'ReportRefused'
  readonly issues: readonly ReportIssue[]

  constructor(issues: readonly ReportIssue[]) {
    super(issues[0]?.key ?? 'refused')
    this.issues = issues
  }
}
