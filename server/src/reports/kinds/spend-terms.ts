// The prices and percentages behind a spend, as the viewer may see them.

import { SPEND_TERM_KINDS, type SpendTerm } from '@tributary/contract/reports/general'
import { isVisibleTo, metricOf } from '@tributary/contract/reports/traffic'
import type { Postgres } from '../../postgres/client.ts'
import type { Viewer } from '../engine/query.ts'
import { readTitles } from '../engine/titles.ts'

/** A term with the id of its currency. */
export type TermRow = Omit<SpendTerm, 'currency' | 'rate' | 'base'> & {
  readonly rate: number
  readonly base: number
  readonly currencyId: number
}
export type WriteTerms = (terms: readonly TermRow[]) => SpendTerm[]

/** Reads a term of one fact: kind, rate, currency, base, amount. */
export const readTerm = (row: readonly unknown[]): TermRow => {
  const [kind, rate, currency, base, amount] = row
  return {
    kind: SPEND_TERM_KINDS.find((known) => known === kind) ?? 'agency',
    rate: Number(rate),
    currencyId: Number(currency),
    base: Number(base),
    amount: Number(amount),
    quantity: 1,
  }
}

/** Reads a term of many facts, with the number of facts and of all terms behind the number. */
export const readSumOfTerm = (row: readonly unknown[]): TermRow & { readonly terms: number } => ({
  ...readTerm(row),
  quantity: Number(row[5]),
  terms: Number(row[6]),
})

/** Names currencies. Whoever may not see income sees no percentage of it either, because the two tell the income. */
export async function termWriter(terms: readonly TermRow[], { role }: Viewer, postgres: Postgres): Promise<WriteTerms> {
  const codes = await readTitles(
    postgres,
    'currency',
    terms.map(({ currencyId }) => currencyId),
  )
  const seesIncome = isVisibleTo(metricOf('income'), role)
  return (rows) =>
    rows.map(({ kind, rate, currencyId, quantity, base, amount }) => {
      const isHidden = kind === 'rs' && !seesIncome
      return {
        kind,
        rate: isHidden ? null : rate,
        currency: codes.get(currencyId)?.title ?? '',
        quantity,
        base: isHidden ? null : base,
        amount,
      }
    })
}
