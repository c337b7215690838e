// Reads an amount of a cell as an exact decimal. Text is read by the locale of the spreadsheet; what could be two amounts is refused.

import { partnerSpend } from '@tributary/contract/entities/partner-spend'
import { readExactAmount, withoutGroups } from '../player-report/amount.ts'
import type { CellValue } from './grid.ts'
import type { WarningKey } from './sheet-warning.ts'

/** Languages that write a point before decimals; all others write a comma. */
const POINT = /^(?:en|zh|ja|ko|th|he|hi|ar)(?:[_-]|$)/i
const ONE_COMMA_GROUP = /^[+-]?[1-9]\d{0,2},\d{3}$/
const ONE_POINT_GROUP = /^[+-]?[1-9]\d{0,2}\.\d{3}$/

export type SheetSum = { readonly sum: string } | { readonly warning: WarningKey }

export function readSum(value: CellValue, locale: string): SheetSum {
  if (typeof value === 'boolean') return { warning: 'sheet_sum_invalid' }
  const read = typeof value === 'number' ? readExactAmount(String(value), true) : readText(value, POINT.test(locale))
  if (read === undefined) return { warning: 'sheet_sum_invalid' }
  if (read === 'too_precise') return { warning: 'sheet_sum_precise' }
  const sum = read.amount
  if (sum.startsWith('-')) return { warning: 'sheet_sum_negative' }
  return Number(sum) > partnerSpend.fields.sum.max ? { warning: 'sheet_sum_large' } : { sum }
}

function readText(text: string, hasPoint: boolean): ReturnType<typeof readExactAmount> {
  const bare = withoutGroups(text)
  if (ONE_COMMA_GROUP.test(bare)) return readExactAmount(bare.replace(',', hasPoint ? '' : '.'), false)
  if (ONE_POINT_GROUP.test(bare) && !hasPoint) return undefined
  return readExactAmount(bare, false)
}
