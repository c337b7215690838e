// The messages between the reading thread and the server.

import type { SheetFault } from '../../lib/sheet/sheet.ts'
import type { ReportHead, ReportSource } from './read-report.ts'
import type { ReportIssue } from './report-issue.ts'

export interface ReaderTask extends ReportSource {
  readonly path: string
  /** Only as far as the heading. */
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
  | { readonly kind: 'refused'; readonly issues: readonly ReportIssue[] }
  | { readonly kind: 'fault'; readonly fault: SheetFault; readonly detail: string }

/** Pieces that may be on their way. */
export const PIECES_AHEAD = 4
