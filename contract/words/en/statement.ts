// English words of a statement's documents: the PDF, the workbook and the page that verifies them.
import type { StatementLineKind } from '../../statement.ts'

export const statementWordsEn = {
  title: 'Statement',
  number: 'No.',
  month: 'Month',
  approved: 'Approved',
  due: 'Due',
  partner: 'Partner',
  taxId: 'Tax ID',
  method: 'Method',
  currency: 'Currency',
  earned: 'Earned',
  line: 'For',
  quantity: 'Qty',
  rate: 'Rate',
  rateUnit: 'Rate in',
  itemQuantity: 'Item qty',
  itemBase: 'Item base',
  itemAmount: 'Item amount',
  base: 'Base',
  amount: 'Amount',
  fx: 'Fx rate',
  total: 'Total',
  page: 'Page {page} of {pages}',
  verify: 'The file can be verified at {url}',
  player: 'Player',
  day: 'Day',
  lineNumber: 'Line',
  kinds: {
    cpa: 'CPA',
    rs: 'Revenue share',
    agency: 'Agency spend',
    adjustment: 'Adjustment',
    fee: 'Fee',
    carry_over: 'Carry-over',
    write_off: 'Write-off',
    tax: 'VAT',
  } satisfies Record<StatementLineKind, string>,
} as const

export type StatementWords = {
  readonly [K in keyof typeof statementWordsEn]: (typeof statementWordsEn)[K] extends string
    ? string
    : Readonly<Record<StatementLineKind, string>>
}
