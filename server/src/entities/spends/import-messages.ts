// The messages between the thread that reads a file of spends and the server.

import type { SheetFault } from '../../lib/sheet/sheet.ts'
import type { TabProblem } from './choose-file-tab.ts'
import type { FilePart } from './import-layout.ts'

export interface ReadingTask {
  readonly path: string
  /** Business time zone. */
  readonly zone: string
  /** 'YYYY-MM' of columns headed by plain numbers; null: unknown. */
  readonly month: string | null
  /** Maximum number of sums and rejections. */
  readonly max: number
  /** Maximum number of bytes of the sheet and its texts when they are unpacked. */
  readonly unpackedCap: number
  /** Headings of the product's own export that say nothing of the sum. */
  readonly ownHeadings: readonly string[]
}

export interface ReadTab {
  readonly tab: string | null
  readonly otherTabs: readonly string[]
}

export type ReadingMessage =
  /** The tab that is read, before its cells; null: the format has no tabs. */
  | ({ readonly kind: 'tab' } & ReadTab)
  | { readonly kind: 'cells'; readonly cells: readonly FilePart[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'too_large' }
  /** No heading, or columns that are headed by days of an unknown month; or tabs of which none can be chosen. */
  | TabProblem
  | { readonly kind: 'fault'; readonly fault: SheetFault; readonly detail: string }
