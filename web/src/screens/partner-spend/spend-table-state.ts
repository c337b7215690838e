// The state of the spend table in the address: partner and month, and the group whose missing days are listed.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { isMonth } from '@tributary/contract/period'
import { businessToday } from '../../state/profile-facts.ts'

export interface SpendTableState {
  readonly partner: number | null
  /** Narrows what is missing while no partner is chosen. */
  readonly group: number | null
  /** 'YYYY-MM' */
  readonly month: string
}

type Search = Readonly<Record<string, unknown>>

function readId(value: unknown): number | null {
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? id : null
}

function readTableState({ partner, group, month }: Search, today: string): SpendTableState {
  return {
    partner: readId(partner),
    group: readId(group),
    month: isMonth(month) ? month : today.slice(0, 7),
  }
}

/** The address parameters that open the table. */
const tableSearch = ({ partner, group, month }: Partial<SpendTableState>): Record<string, unknown> => ({
  view: 'table',
  ...(partner != null && { partner }),
  ...(group != null && { group }),
  ...(month !== undefined && { month }),
})

export function useTableState(): readonly [SpendTableState, (edit: Partial<SpendTableState>) => void] {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = readTableState(search, businessToday())
  return [state, (edit) => void navigate({ to: '.', search: () => tableSearch({ ...state, ...edit }) })]
}
