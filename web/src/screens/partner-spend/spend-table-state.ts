// The state of the spend table in the address: partner and month.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { isMonth } from '@tributary/contract/period'
import { businessToday } from '../../state/profile-facts.ts'

export interface SpendTableState {
  readonly partner: number | null
  /** 'YYYY-MM' */
  readonly month: string
}

type Search = Readonly<Record<string, unknown>>

function readTableState({ partner, month }: Search, today: string): SpendTableState {
  const id = Number(partner)
  return {
    partner: Number.isSafeInteger(id) && id > 0 ? id : null,
    month: isMonth(month) ? month : today.slice(0, 7),
  }
}

/** The address parameters that open the table. */
const tableSearch = ({ partner, month }: Partial<SpendTableState>): Record<string, unknown> => ({
  view: 'table',
  ...(partner != null && { partner }),
  ...(month !== undefined && { month }),
})

export function useTableState(): readonly [SpendTableState, (edit: Partial<SpendTableState>) => void] {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = readTableState(search, businessToday())
  return [state, (edit) => void navigate({ to: '.', search: () => tableSearch({ ...state, ...edit }) })]
}
