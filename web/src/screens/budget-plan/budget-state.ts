// The state of the budget plan in the address: month, groups, partners, countries without spend, order, search.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { isMonth, lastDayOf, monthBefore } from '@tributary/contract/period'
import {
  BUDGET_SORTS,
  BUDGET_WARNINGS,
  type BudgetInput,
  type BudgetSort,
  type BudgetWarning,
} from '@tributary/contract/reports/budget'
import { businessToday } from '../../state/profile-facts.ts'

export interface BudgetState {
  /** 'YYYY-MM' */
  readonly month: string
  readonly groups: readonly number[]
  readonly partners: readonly number[]
  readonly showsAll: boolean
  readonly sort: { readonly by: BudgetSort; readonly desc: boolean }
  readonly query: string
  readonly warning: BudgetWarning | null
}

type Search = Readonly<Record<string, unknown>>

const DEFAULT_SORT = { by: 'actual_budget', desc: true } as const

export function readBudgetState(search: Search, today: string): BudgetState {
  const { month, partnerGroups, partners, all, sort, q, warning } = search
  const by = typeof sort === 'string' ? BUDGET_SORTS.find((name) => name === sort.replace(/^-/, '')) : undefined
  return {
    month: isMonth(month) ? month : today.slice(0, 7),
    groups: readIds(partnerGroups),
    partners: readIds(partners),
    showsAll: all === 1,
    sort: by === undefined ? DEFAULT_SORT : { by, desc: String(sort).startsWith('-') },
    query: typeof q === 'string' || typeof q === 'number' ? String(q) : '',
    warning: BUDGET_WARNINGS.find((name) => name === warning) ?? null,
  }
}

const readIds = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((id): id is number => Number.isSafeInteger(id) && Number(id) > 0) : []

export function writeBudgetState(state: BudgetState): Record<string, unknown> {
  const { month, groups, partners, showsAll, sort, query, warning } = state
  const isDefaultSort = sort.by === DEFAULT_SORT.by && sort.desc === DEFAULT_SORT.desc
  return {
    month,
    ...(groups.length > 0 && { partnerGroups: groups }),
    ...(partners.length > 0 && { partners }),
    ...(showsAll && { all: 1 }),
    ...(!isDefaultSort && { sort: `${sort.desc ? '-' : ''}${sort.by}` }),
    ...(query !== '' && { q: query }),
    ...(warning !== null && { warning }),
  }
}

export const requestOf = ({ month, groups, partners, showsAll, sort, query, warning }: BudgetState): BudgetInput => ({
  month,
  filter: {
    ...(groups.length > 0 && { partnerGroups: [...groups] }),
    ...(partners.length > 0 && { partners: [...partners] }),
    showCountriesNoSpend: showsAll,
    ...(query.trim() !== '' && { search: query.trim() }),
    ...(warning !== null && { warning }),
  },
  sort,
})

export function useBudgetState(): readonly [BudgetState, (edit: Partial<BudgetState>) => void] {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = readBudgetState(search, businessToday())
  const change = (edit: Partial<BudgetState>): void => {
    const next = writeBudgetState({ ...state, ...edit })
    void navigate({ to: '.', search: () => next })
  }
  return [state, change]
}

export interface Place {
  readonly advertiser?: number
  readonly country?: number
  /** Those that a sum counts; absent: all. */
  readonly countries?: readonly number[]
  readonly partner?: number
}

/** The address parameters of the general report behind a figure. `days` are the days that the figure counts. */
export function reportSearch(
  { advertiser, country, countries, partner }: Place,
  days: { readonly from: string; readonly to: string },
  { groups, partners }: Pick<BudgetState, 'groups' | 'partners'>,
): Record<string, unknown> {
  const shown = country === undefined ? countries : [country]
  const people = partner === undefined ? partners : [partner]
  return {
    by: 'advertiser.country.partner',
    from: days.from,
    to: days.to,
    ...(advertiser !== undefined && { advertisers: [advertiser] }),
    ...(shown !== undefined && { countries: shown }),
    ...(groups.length > 0 && { partnerGroups: groups }),
    ...(people.length > 0 && { partners: people }),
    columns: 's.nd.cfd.cr.cc',
  }
}

/** First and last day of the previous month. */
export function previousMonth(month: string): { from: string; to: string } {
  const previous = monthBefore(month)
  return { from: `${previous}-01`, to: lastDayOf(previous) }
}
