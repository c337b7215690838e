// The state of the spend table in the address: partner and month.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { addDays } from '@tributary/contract/period'
import { businessToday } from '../../state/profile-facts.ts'

export interface SpendTableState {
  readonly partner: number | null
  /** 'YYYY-MM' */
  readonly month: string
}

type Search = Readonly<Record<string, unknown>>

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

export function readTableState({ partner, month }: Search, today: string): SpendTableState {
  const id = Number(partner)
  return {
    partner: Number.isSafeInteger(id) && id > 0 ? id : null,
    month: typeof month === 'string' && MONTH.test(month) ? month : today.slice(0, 7),
  }
}

/** The address parameters that open the table. */
export const tableSearch = ({ partner, month }: Partial<SpendTableState>): Record<string, unknown> => ({
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

/** The next or the previous month. */
export function shiftMonth(month: string, by: 1 | -1): string {
  return addDays(`${month}-01`, by === 1 ? 31 : -1).slice(0, 7)
}
