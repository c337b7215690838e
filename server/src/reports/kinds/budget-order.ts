// Sorts the rows, countries and partners of the budget plan by one column. Unknown amounts come last, equal ones are sorted by title.
import type { BudgetPartner, BudgetRow, BudgetSort } from '@tributary/contract/reports/budget'
import { compareTexts } from '../engine/titles.ts'

interface Sort {
  readonly by: BudgetSort
  readonly desc: boolean
}

export const sortRows = (rows: readonly BudgetRow[], { by, desc }: Sort): BudgetRow[] =>
  sorted(
    rows.map((row) => ({
      ...row,
      groups: sorted(
        row.groups.map((group) => ({ ...group, partners: sortPartners(group.partners, { by, desc }) })),
        desc,
        ({ country }) => country.title,
        (group) => (by === 'title' ? undefined : by === 'budget' ? group.budget.budget : group[by]),
      ),
    })),
    desc,
    ({ advertiser }) => advertiser.title,
    (row) => (by === 'title' ? undefined : row[by]),
  )

/** Partners have no previous month and no prediction; for those columns they are sorted by actual spend. */
const sortPartners = (partners: readonly BudgetPartner[], { by, desc }: Sort): BudgetPartner[] =>
  sorted(
    partners,
    desc,
    ({ partner }) => partner.title,
    (partner) => (by === 'title' ? undefined : partner[by === 'budget' || by === 'free_budget' ? by : 'actual_budget']),
  )

/** If `amountOf` returns undefined, only titles decide. */
function sorted<T>(
  items: readonly T[],
  desc: boolean,
  titleOf: (item: T) => string,
  amountOf: (item: T) => string | null | undefined,
): T[] {
  const direction = desc ? -1 : 1
  return items.toSorted((a, b) => {
    const [left, right] = [amountOf(a), amountOf(b)]
    const byTitle = compareTexts(titleOf(a), titleOf(b))
    if (left === undefined || right === undefined) return direction * byTitle
    if (left === right) return byTitle
    if (left === null) return 1
    if (right === null) return -1
    return direction * (BigInt(left) < BigInt(right) ? -1 : 1)
  })
}
