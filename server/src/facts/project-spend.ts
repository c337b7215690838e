// An entered spend becomes the row that reports read: in the report currency, with the agency's percentage on it. Pure.

import { divideHalfUp } from '@tributary/contract/money'
import type { SpendFact } from './fact-row.ts'
import { type Rates, toReportCurrency, WHOLE } from './terms.ts'

/** The link that carries it is chosen by whoever reads the record. */
export interface SpendRecord extends Omit<SpendFact, 'base_original' | 'base' | 'sum' | 'rate_missing'> {
  /** As entered, ten-thousandths of its currency. */
  readonly entered: bigint
}

/** `percentage` in ten-thousandths of a percent. */
export function projectSpend({ entered, ...record }: SpendRecord, percentage: bigint, rates: Rates): SpendFact {
  const base = toReportCurrency(rates, entered, record.currency_id, record.day)
  const sum = divideHalfUp((base ?? 0n) * (WHOLE + percentage), WHOLE) ?? 0n
  return { ...record, base_original: entered, base: base ?? 0n, sum, rate_missing: base === null ? 1 : 0 }
}
