// What a recount knows of income: whether the days of some facts are reported, and how an answer says so.
import type { PartlyReported } from '@tributary/contract/reports/general'
import type { Fact } from './reports-oracle.ts'

/** Income is unknown if no day with a click or a player's fact is reported. */
export const isIncomeUnknown = (facts: readonly Fact[]): boolean =>
  isIncomePartial(facts) && !facts.some(({ isReported }) => isReported)
export const isIncomePartial = (facts: readonly Fact[]): boolean => facts.some(({ isReported }) => isReported === false)

/** The numbers of an answer's row, with what it says of its income. */
export const numbersOf = ({
  m,
  partial = [],
}: { m: object } & PartlyReported): Record<string, number | string | null> => ({
  ...m,
  ...(partial.includes('income') && { isPartial: 'yes' }),
  ...(partial.includes('income_2') && { isPartial_2: 'yes' }),
})
