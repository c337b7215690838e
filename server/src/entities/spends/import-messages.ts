// The messages between the thread that reads a file of spends and the server.

import type { SheetFault } from '../../lib/sheet/sheet.ts'
import type { FileCell, FileRejection } from './import-layout.ts'

export interface ReadingTask {
  readonly path: string
  /** Business time zone. */
  readonly zone: string
  /** Maximum number of sums and rejections. */
  readonly max: number
}

export type ReadingMessage =
  | { readonly kind: 'cells'; readonly cells: readonly (FileCell | FileRejection)[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'no_heading' }
  | { readonly kind: 'fault'; readonly fault: SheetFault; readonly detail: string }
