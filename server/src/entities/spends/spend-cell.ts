// What an entered spend belongs to.

import type { Issue } from '@tributary/contract/validate'

/** The stream, country, site and business day of an entered spend. */
export interface SpendCell {
  readonly stream: number
  readonly country: number
  readonly site: string | null
  readonly day: string
}

/** Why a cell is rejected, or a warning about it. */
export interface CellNote {
  readonly place: SpendCell
  readonly issue: Issue
}
