// What a statement's line may be. Lines of links come from the ledger; the other kinds are policy, or adjustments.
export const STATEMENT_LINE_KINDS = [
  'cpa',
  'rs',
  'agency',
  'adjustment',
  'fee',
  'carry_over',
  'write_off',
  'tax',
] as const
export type StatementLineKind = (typeof STATEMENT_LINE_KINDS)[number]
