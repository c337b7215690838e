// The messages between the reading thread and the server.

import type { MessageKey } from '@tributary/contract/words/messages'
import type { SheetFault } from '../../lib/sheet/sheet.ts'
import type { ReportHead, ReportSource } from './read-report.ts'

export interface ReaderTask extends ReportSource {
  readonly path: string
  /** True to read only the heading. */
  readonly isLook: boolean
}

export type ReaderMessage =
  | { readonly kind: 'head'; readonly head: ReportHead }
  /** Lines of COPY; each is answered when it has been written. */
  | {
      readonly kind: 'piece'
      readonly bytes: Uint8Array<ArrayBuffer>
      readonly rows: number
      readonly progress: number
    }
  | { readonly kind: 'end' }
  | { readonly kind: 'rejected'; readonly issues: readonly ReportIssue[] }
  | { readonly kind: 'fault'; readonly fault: SheetFault; readonly detail: string }

/** Maximum number of pieces that were sent and not yet written. */
export const PIECES_AHEAD = 4

/** An error or warning about a line of a player report. Errors reject the whole report; a line with a warning counts. */
export interface ReportIssue {
  /** 0: the report as a whole. */
  readonly line: number
  readonly column: string
  readonly key: MessageKey
  readonly value: string
}

/** Further errors are not listed. */
export const ERROR_CAP = 1000

/** Thrown if a report is rejected; none of its rows is stored. */
export class ReportRejection extends Error {
  override readonly name = 'ReportRejection'
  readonly issues: readonly ReportIssue[]

  constructor(issues: readonly ReportIssue[]) {
    super(issues[0]?.key ?? 'rejected')
    this.issues = issues
  }
}
