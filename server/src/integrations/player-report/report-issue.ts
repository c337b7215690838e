// What is wrong with a line of a player report. Errors refuse the whole report; warnings are told and the line counts.

import type { MessageKey } from '@tributary/contract/words/messages'

export interface ReportIssue {
  /** 0: the report as a whole. */
  readonly line: number
  readonly column: string
  readonly key: MessageKey
  readonly value: string
}

/** More are not told: the report is refused as it is. */
export const ERROR_CAP = 1000

/** Why a report was not taken; nothing of it has been kept. */
export class ReportRefused extends Error {
  override readonly name = 'ReportRefused'
  readonly issues: readonly ReportIssue[]

  constructor(issues: readonly ReportIssue[]) {
    super(issues[0]?.key ?? 'refused')
    this.issues = issues
  }
}
