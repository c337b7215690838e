// A warning about a spend sheet: the cell, what is wrong, and how to mend it. The rest of the tab is taken.

import type { sheetsEn } from '@tributary/contract/words/en/sheets'
import { say } from '@tributary/contract/words/messages'
import { addressOf, type Grid, type Place } from './grid.ts'

type Remedy<K> = K extends `${infer Key}_remedy` ? Key : never

/** A warning whose remedy has words, too. */
export type WarningKey = Remedy<keyof typeof sheetsEn>

export interface SheetWarning {
  /** Empty: the file as a whole. */
  readonly tab: string
  /** Google's id of the tab. */
  readonly gid: number | null
  /** A1; empty: the tab as a whole. */
  readonly cell: string
  readonly key: WarningKey
  readonly values: Readonly<Record<string, string>>
  readonly message: string
  readonly remedy: string
}

/** Further warnings of a parse are not kept. */
export const WARNINGS_CAP = 1000

const SHOWN = 100
const shorten = (value: string): string => (value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value)

export function warningAt(
  grid: Pick<Grid, 'title' | 'id'> | null,
  place: Place | null,
  key: WarningKey,
  given: Record<string, string> = {},
): SheetWarning {
  const values = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, shorten(value)]))
  return {
    tab: grid?.title ?? '',
    gid: grid?.id ?? null,
    cell: place === null ? '' : addressOf(place),
    key,
    values,
    message: say('en', key, values),
    remedy: say('en', `${key}_remedy`, values),
  }
}
